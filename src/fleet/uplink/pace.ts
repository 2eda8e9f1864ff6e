import { MINUTE_MS } from "../../contract/time.ts";

/** Limits the speed of a replay, and how much of it may be in flight. */

const SHARE_OF_RATE = 0.95;
/** The factor by which a request to slow down lowers the rate, and the lowest share of the rate that stays. */
const SLOWER = 0.8;
const LEAST = 0.25;
/** The rate without a limit. */
const UNLIMITED = 1e9;
/** The part of a second's events that may be sent at once. */
const BURST = 0.25;

/** How many bytes of a replay may be in flight. A batch of any size costs the server some commits, so smaller batches would only slow it down. */
const LEAST_WINDOW_BYTES = 256 * 1024;
export const FIRST_WINDOW_BYTES = LEAST_WINDOW_BYTES;
const MOST_WINDOW_BYTES = 4 * 1024 * 1024;
/** An acknowledgement that takes longer than this shows that too much is in flight. */
const TOO_LONG_MS = 500;
const SHORT_MS = 200;

export interface Pace {
  /** Counts live events that were sent. They never wait. */
  spend(events: number, nowMs: number): void;
  /** How many replayed events may be sent now; 0 when it is better to wait. */
  allowance(nowMs: number): number;
  /** How long until events may be sent. */
  waitMs(nowMs: number): number;
  /** The server asked for a wait. */
  slowDown(retryAfterMs: number, nowMs: number): void;
}

/** Keeps below the rate that the server allows; live events come first. `eventsPerSecond` 0 is no limit. */
export function createPace(eventsPerSecond: number, startMs: number): Pace {
  const most = (eventsPerSecond > 0 ? eventsPerSecond : UNLIMITED) * SHARE_OF_RATE;
  const burst = Math.max(1, most * BURST);
  let perSecond = most;
  let tokens = 0;
  let atMs = startMs;
  let pausedUntilMs = startMs;

  function refill(nowMs: number): void {
    tokens = Math.min(burst, tokens + (perSecond * Math.max(nowMs - atMs, 0)) / 1000);
    // After a minute without a request to slow down it is as fast as before.
    perSecond = Math.min(most, perSecond + (most * Math.max(nowMs - atMs, 0)) / MINUTE_MS);
    atMs = nowMs;
  }

  /** Waits until a batch is worth sending, instead of sending single events. */
  const worthwhile = (): number => Math.max(1, Math.min(1000, burst * 0.8));

  return {
    spend(events, nowMs) {
      refill(nowMs);
      tokens = Math.max(tokens - events, -most);
    },
    allowance(nowMs) {
      refill(nowMs);
      return nowMs < pausedUntilMs || tokens < worthwhile() ? 0 : Math.floor(tokens);
    },
    waitMs(nowMs) {
      refill(nowMs);
      return Math.ceil(Math.max(pausedUntilMs - nowMs, ((worthwhile() - tokens) * 1000) / perSecond, 1));
    },
    slowDown(retryAfterMs, nowMs) {
      refill(nowMs);
      perSecond = Math.max(most * LEAST, perSecond * SLOWER);
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + retryAfterMs);
    },
  };
}

/**
 * How many bytes may be in flight, by how long an acknowledgement took: as many as arrive within a moment, so that live events on the same stream
 * never wait long behind them.
 */
export function nextWindow(bytes: number, tookMs: number): number {
  if (tookMs > TOO_LONG_MS) return Math.max(LEAST_WINDOW_BYTES, Math.floor(bytes / 2));
  return tookMs < SHORT_MS ? Math.min(MOST_WINDOW_BYTES, Math.floor(bytes * 1.25)) : bytes;
}
