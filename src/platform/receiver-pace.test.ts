import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Attempt } from "./delivery-schedule.ts";
import { ReceiverPaces } from "./receiver-pace.ts";

const TAKEN: Attempt = { status: "delivered", statusCode: 200, durationMs: 1, error: null, retryAfterMs: null };
const FAILED: Attempt = { ...TAKEN, status: "failed", statusCode: 500, error: "It answered 500." };

function limited(retryAfterMs: number | null, statusCode = 429): Attempt {
  return { ...FAILED, statusCode, retryAfterMs };
}

/** How long a receiver rests after each of these attempts, all made at once. */
function restsAfter(...attempts: readonly Attempt[]): number[] {
  const paces = new ReceiverPaces(() => 1);
  return attempts.map((attempt) => {
    paces.note(1, attempt, 0);
    return paces.restMs(1, 0);
  });
}

describe("the pace of a receiver", () => {
  it("is a rest as long as it asks by 429 or 503, by no more than an hour", () => {
    assert.deepEqual(restsAfter(limited(20_000)), [20_000]);
    assert.deepEqual(restsAfter(limited(20_000, 503)), [20_000]);
    assert.deepEqual(restsAfter(limited(86_400_000)), [3_600_000]);
  });

  it("is not slower after a failure that may be of one message, nor after an answer that asks for nothing", () => {
    assert.deepEqual(restsAfter(limited(20_000, 500), limited(null), limited(0), TAKEN), [0, 0, 0, 0]);
  });

  it("is a gap after the rest, which is halved after each four messages that are taken", () => {
    const taken = Array.from({ length: 9 }, () => TAKEN);
    assert.deepEqual(restsAfter(limited(1000), ...taken), [1000, 1000, 1000, 1000, 500, 500, 500, 500, 250, 250]);
    assert.deepEqual(restsAfter(limited(60_000), TAKEN), [60_000, 5000]);
    assert.equal(restsAfter(limited(1000), ...taken, ...taken, TAKEN, TAKEN).at(-1), 0);
  });

  it("is 20 messages a second from the tenth failure in a row on, until one is taken", () => {
    const failed = Array.from({ length: 10 }, () => FAILED);
    assert.deepEqual(restsAfter(...failed, FAILED, TAKEN).slice(8), [0, 50, 50, 0]);
  });

  it("counts nothing from before the receiver was edited, and is of that receiver alone", () => {
    let revision = 1;
    const paces = new ReceiverPaces(() => revision);
    paces.note(1, limited(60_000), 0);
    assert.deepEqual([paces.restMs(1, 10_000), paces.restMs(2, 10_000)], [50_000, 0]);
    revision = 2;
    assert.equal(paces.restMs(1, 10_000), 0);
  });
});
