import { DELIVERY_WAITS_MS } from "../contract/notifications.ts";
import { HOUR_MS } from "../contract/time.ts";

/** Decides when a failed delivery is tried again, and how soon its receiver gets another. Source: specification, Limits; contract, section 6. */

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

/** After so many failures in a row a receiver is paced until it answers well: otherwise a dead receiver takes the time of the others. */
const FAILURES_UNTIL_PACED = 10;
const PACE_MS = 50;
/** Statuses whose `Retry-After` is about the receiver, not about one message. Source: RFC 6585, section 4; RFC 9110, section 15.6.4. */
const LIMITING: readonly (number | null)[] = [429, 503];
/** The longest gap between messages for a receiver that limits them: some ask for half a minute where one message a second would do. */
const LONGEST_GAP_MS = 5000;
/** After so many messages without a refusal the gap is halved. Fewer would let too many messages run into the limit. */
const TAKEN_UNTIL_FASTER = 4;

interface Pace {
  /** The state of the receiver's settings to which this belongs. */
  revision: unknown;
  failuresInRow: number;
  /** Since the last refusal, or since the gap was halved. */
  takenInRow: number;
  gapMs: number;
  /** Monotonic. */
  notBeforeMs: number;
}

/** How soon the next message may go to each receiver, by how it answered those before. Times are monotonic. */
export class ReceiverPaces {
  readonly #paces = new Map<number, Pace>();
  readonly #revisionOf: (lane: number) => unknown;

  /** `revisionOf` changes when a receiver is edited; what it asked for before that no longer counts. */
  constructor(revisionOf: (lane: number) => unknown) {
    this.#revisionOf = revisionOf;
  }

  /** For how many milliseconds the receiver gets nothing. */
  restMs(lane: number, nowMs: number): number {
    return Math.max(0, (this.#known(lane)?.notBeforeMs ?? 0) - nowMs);
  }

  note(lane: number, attempt: Attempt, nowMs: number): void {
    const before = this.#known(lane) ?? { revision: this.#revisionOf(lane), failuresInRow: 0, takenInRow: 0, gapMs: 0, notBeforeMs: 0 };
    const pace = attempt.status === "delivered" ? afterTaken(before) : afterFailed(before, attempt);
    const askedMs = askedWaitMs(attempt) ?? 0;
    const restMs = Math.max(askedMs, pace.gapMs, pace.failuresInRow >= FAILURES_UNTIL_PACED ? PACE_MS : 0);
    if (pace.failuresInRow === 0 && pace.gapMs === 0) this.#paces.delete(lane);
    else this.#paces.set(lane, { ...pace, notBeforeMs: nowMs + restMs });
  }

  #known(lane: number): Pace | undefined {
    const pace = this.#paces.get(lane);
    if (pace === undefined || pace.revision === this.#revisionOf(lane)) return pace;
    this.#paces.delete(lane);
    return undefined;
  }
}

function afterTaken(pace: Pace): Pace {
  const isFaster = pace.takenInRow + 1 >= TAKEN_UNTIL_FASTER;
  const gapMs = isFaster ? pace.gapMs / 2 : pace.gapMs;
  return { ...pace, failuresInRow: 0, takenInRow: isFaster ? 0 : pace.takenInRow + 1, gapMs: gapMs < PACE_MS ? 0 : gapMs };
}

function afterFailed(pace: Pace, attempt: Attempt): Pace {
  const askedMs = askedWaitMs(attempt);
  const failed = { ...pace, failuresInRow: pace.failuresInRow + 1 };
  return askedMs === null ? failed : { ...failed, takenInRow: 0, gapMs: Math.min(askedMs, LONGEST_GAP_MS) };
}

/** null when the receiver asked for nothing. */
function askedWaitMs({ status, statusCode, retryAfterMs }: Attempt): number | null {
  if (status === "delivered" || retryAfterMs === null || !LIMITING.includes(statusCode)) return null;
  return Math.min(retryAfterMs, LONGEST_WAIT_MS);
}
