import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOST_ATTEMPTS } from "../contract/notifications.ts";
import { fc } from "../../test/support/seed.ts";
import { type Attempt, judge } from "./delivery-schedule.ts";

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
