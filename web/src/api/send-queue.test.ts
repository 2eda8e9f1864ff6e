import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { ApiError } from "./client.ts";
import { createSendQueue } from "./send-queue.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"] }));
afterEach(() => mock.timers.reset());

const refusal = (retryAfterMs: number): ApiError => new ApiError("rate_limited", "Too many requests", { retryAfterMs });

/** Admits as the server does: 50 requests a second, 200 at once. */
function createLimit(): () => boolean {
  let tokens = 200;
  let atMs = Date.now();
  return () => {
    tokens = Math.min(200, tokens + (Date.now() - atMs) / 20);
    atMs = Date.now();
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** A queue whose requests pass such a limit, and how often that refused one. */
function setUp() {
  const admits = createLimit();
  const counts = { sent: 0, refused: 0, failed: 0 };
  const queue = createSendQueue((run, delayMs) => setTimeout(run, delayMs));
  async function send(): Promise<void> {
    if (admits()) counts.sent += 1;
    else {
      counts.refused += 1;
      throw refusal(1000);
    }
  }
  const add = (): void => void queue.add(send).catch(() => (counts.failed += 1));
  return { queue, counts, add };
}

async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 20; step += 1) {
    mock.timers.tick(50);
    await new Promise(setImmediate);
  }
}

test("a thousand are sent without reaching the server's rate limit", async () => {
  const { counts, add } = setUp();
  for (let index = 0; index < 1000; index += 1) add();
  await pass(45);
  assert.deepEqual(counts, { sent: 1000, refused: 0, failed: 0 });
});

test("what the rate limit refuses is sent again after the rest that it asks for", async () => {
  const { queue, counts, add } = setUp();
  for (let index = 0; index < 500; index += 1) add();
  queue.flush();
  await pass(0.9);
  assert.deepEqual(counts, { sent: 200, refused: 300, failed: 0 });
  await pass(20);
  assert.deepEqual([counts.sent, counts.failed], [500, 0]);
});

test("what is refused for long, or again and again, has failed", async () => {
  const tries = [0, 0];
  const queue = createSendQueue((run, delayMs) => setTimeout(run, delayMs));
  const errors: unknown[] = [];
  for (const [index, retryAfterMs] of [60_000, 1000].entries())
    void queue
      .add(async () => {
        tries[index] = (tries[index] ?? 0) + 1;
        throw refusal(retryAfterMs);
      })
      .catch((error: unknown) => errors.push(error));
  await pass(30);
  assert.deepEqual([tries, errors.length], [[1, 10], 2]);
});
