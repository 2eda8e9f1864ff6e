import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOST_ATTEMPTS } from "../contract/notifications.ts";
import { fc } from "../../test/support/seed.ts";
import { type Attempt, judge, ReceiverPaces } from "./delivery-schedule.ts";

const AT = new Date("2026-03-01T12:00:00.000Z");
const FAILED: Attempt = { status: "failed", statusCode: 500, durationMs: 3, error: "It answered 500.", retryAfterMs: null };

function waitAfter(attemptsBefore: number, retryAfterMs: number | null = null): number | null {
  const { nextAttemptAt } = judge(attemptsBefore, { ...FAILED, retryAfterMs }, AT);
  return nextAttemptAt === null ? null : (nextAttemptAt.getTime() - AT.getTime()) / 1000;
}

describe("the schedule of deliveries", () => {
  it("tries again after 30 s, 1, 2 and 4 minutes, and then no more", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((before) => waitAfter(before)),
      [30, 60, 120, 240, null],
    );
    assert.equal(MOST_ATTEMPTS, 5);
    assert.deepEqual(judge(4, FAILED, AT), {
      status: "failed",
      attempts: 5,
      nextAttemptAt: null,
      attemptedAt: AT,
      statusCode: 500,
      error: "It answered 500.",
      at: AT,
    });
  });

  it("waits as long as the receiver asks, but neither shorter than the schedule nor longer than an hour", () => {
    assert.deepEqual([waitAfter(0, 5_000), waitAfter(0, 90_000), waitAfter(3, 90_000), waitAfter(0, 86_400_000)], [30, 90, 240, 3600]);
  });

  it("is over with the first success", () => {
    const { status, attempts, nextAttemptAt, error } = judge(2, { ...FAILED, status: "delivered", statusCode: 204, error: null }, AT);
    assert.deepEqual([status, attempts, nextAttemptAt, error], ["sent", 3, null, null]);
  });

  it("keeps the error of a success that left a recipient out", () => {
    const { status, nextAttemptAt, error } = judge(1, { ...FAILED, status: "delivered", error: "It refused Grace." }, AT);
    assert.deepEqual([status, nextAttemptAt, error], ["sent", null, "It refused Grace."]);
  });

  it("gives up what is refused, and counts no attempt", () => {
    const { status, attempts, attemptedAt, error } = judge(1, { refused: "The channel was deleted." }, AT);
    assert.deepEqual([status, attempts, attemptedAt, error], ["failed", 1, null, "The channel was deleted."]);
  });

  it("ends after at most five attempts, whatever receivers ask for", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -1, max: 1e12 })), { minLength: 5, maxLength: 5 }), (asked) => {
        let attempts = 0;
        for (const retryAfterMs of asked) {
          const verdict = judge(attempts, { ...FAILED, retryAfterMs }, AT);
          attempts = verdict.attempts;
          assert.equal(verdict.status, attempts === MOST_ATTEMPTS ? "failed" : "pending");
          const waitMs = (verdict.nextAttemptAt ?? AT).getTime() - AT.getTime();
          assert.ok(waitMs <= 3_600_000 && (verdict.status === "failed" || waitMs >= 30_000));
        }
      }),
    );
  });
});

const TAKEN: Attempt = { status: "delivered", statusCode: 200, durationMs: 1, error: null, retryAfterMs: null };
const REFUSED: Attempt = { ...TAKEN, status: "failed", statusCode: 500, error: "It answered 500." };

function limited(retryAfterMs: number | null, statusCode = 429): Attempt {
  return { ...REFUSED, statusCode, retryAfterMs };
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
    const failed = Array.from({ length: 10 }, () => REFUSED);
    assert.deepEqual(restsAfter(...failed, REFUSED, TAKEN).slice(8), [0, 50, 50, 0]);
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
