import { DELIVERY_WAITS_MS } from "../contract/notifications.ts";
import { HOUR_MS } from "../contract/time.ts";

/** Decides when a failed delivery is tried again. Source: specification, Limits; contract, section 6. */

/** A receiver that asks for a longer wait is tried again after this. */
export const LONGEST_WAIT_MS = HOUR_MS;

/** The outcome of one attempt to reach a receiver. */
export interface Attempt {
  status: "delivered" | "failed";
  statusCode: number | null;
  durationMs: number;
  /** A sentence without credentials. Null when delivered, unless a part of the recipients was refused for good. */
  error: string | null;
  /** The wait that the receiver asked for by Retry-After. */
  retryAfterMs: number | null;
}

/** Given up without an attempt. */
export interface Refusal {
  /** The reason, as a sentence. */
  refused: string;
}

/** The state of a delivery after an attempt; `statusCode` and `error` are those of its last attempt. */
export interface Verdict {
  status: "pending" | "sent" | "failed";
  attempts: number;
  nextAttemptAt: Date | null;
  /** null when it was given up without an attempt. */
  attemptedAt: Date | null;
  statusCode: number | null;
  error: string | null;
  at: Date;
}

/** Decides what happens to a delivery after an attempt, by the number of attempts before. */
export function judge(attemptsBefore: number, result: Attempt | Refusal, at: Date): Verdict {
  if ("refused" in result) {
    return {
      status: "failed",
      attempts: attemptsBefore,
      nextAttemptAt: null,
      attemptedAt: null,
      statusCode: null,
      error: result.refused,
      at,
    };
  }
  const attempts = attemptsBefore + 1;
  const tried = { attempts, attemptedAt: at, statusCode: result.statusCode, error: result.error, at };
  if (result.status === "delivered") return { ...tried, status: "sent", nextAttemptAt: null };
  const waitMs = DELIVERY_WAITS_MS[attempts - 1];
  if (waitMs === undefined) return { ...tried, status: "failed", nextAttemptAt: null };
  const asked = Math.min(result.retryAfterMs ?? 0, LONGEST_WAIT_MS);
  return { ...tried, status: "pending", nextAttemptAt: new Date(at.getTime() + Math.max(waitMs, asked)) };
}
