import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Mark, OutboxMessage } from "../platform/dispatcher.ts";
import { markToRow } from "./outbox.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const row = (error: string | null) =>
  markToRow({
    item: { id: 7 } as OutboxMessage,
    ...{ status: "failed", attempts: 2, nextAttemptAt: AT, attemptedAt: AT, statusCode: 503, error },
  } as Mark<OutboxMessage>);

describe("what came of an attempt to send, as it is stored", () => {
  it("has the times in milliseconds", () => {
    const { id, attempts, next_attempt_at, last_attempt_at, last_status_code } = row(null);
    assert.deepEqual([id, attempts, next_attempt_at, last_attempt_at, last_status_code], [7, 2, AT.getTime(), AT.getTime(), 503]);
  });

  it("has one line of its error, with 500 characters at most", () => {
    assert.deepEqual([row(null).last_error, row("no\r\nroom").last_error], [null, "no room"]);
    assert.equal(row("x".repeat(500)).last_error, "x".repeat(500));
    assert.equal(row("x".repeat(501)).last_error, `${"x".repeat(499)}…`);
  });
});
