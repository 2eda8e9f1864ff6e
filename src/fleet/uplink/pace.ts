import { MINUTE_MS } from "../../contract/time.ts";

/** How fast a replay may go, and how much of it may be on its way. */

const SHARE_OF_RATE = 0.95;
/** What an advice to go slower takes off, and the least that stays. */
const SLOWER = 0.8;
const LEAST = 0.25;
/** Without a limit. */
const UNLIMITED = 1e9;
/** How much of a second may be sent at once. */
const BURST = 0.25;

/** Bytes of a replay on their way. Each batch costs the server some commits, whatever its size: smaller ones would only make it slower. */
const LEAST_WINDOW_BYTES = 256 * 1024;
export const FIRST_WINDOW_BYTES = LEAST_WINDOW_BYTES;
const MOST_WINDOW_BYTES = 4 * 1024 * 1024;
/** An acknowledgement that takes longer than this says that too much is on the way. */
const TOO_LONG_MS = 500;
const SHORT_MS = 200;

export interface Pace {
  /** Live events were sent. They never wait. */
  spend(events: number, nowMs: number): void;
  /** How many events of a replay may be sent now; 0 when it is better to wait. */
  allowance(nowMs: number): number;
  /** How long until there is an allowance. */
  waitMs(nowMs: number): number;
  /** The server asks to wait. */
  slowDown(retryAfterMs: number, nowMs: number): void;
}

/** A pace below the rate that the server allows, of which live events have their share first. `eventsPerSecond` 0 is no limit. */
export function createPace(eventsPerSecond: number, startMs: number): Pace {
  const most = (eventsPerSecond > 0 ? eventsPerSecond : UNLIMITED) * SHARE_OF_RATE;
  const burst = Math.max(1, most * BURST);
  let perSecond = most;
  let tokens = 0;
  let atMs = startMs;
  let pausedUntilMs = startMs;

  function refill(nowMs: number): void {
    tokens = Math.min(burst, tokens + (perSecond * Math.max(nowMs - atMs, 0)) / 1000);
    // A minute without complaint, and it is as fast as before.
    perSecond = Math.min(most, perSecond + (most * Math.max(nowMs - atMs, 0)) / MINUTE_MS);
    atMs = nowMs;
  }

  /** Waits for a worthwhile batch rather than sending one event at a time. */
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
 * How many bytes may be on their way after a batch was acknowledged so long after it was sent: as many as arrive within a moment, so that what
 * is live, which must pass through the same stream, never waits behind them for long.
 */
export function nextWindow(bytes: number, tookMs: number): number {
  if (tookMs > TOO_LONG_MS) return Math.max(LEAST_WINDOW_BYTES, Math.floor(bytes / 2));
  return tookMs < SHORT_MS ? Math.min(MOST_WINDOW_BYTES, Math.floor(bytes * 1.25)) : bytes;
}
