import { MINUTE_MS } from "../../contract/time.ts";

/** How fast a replay may go: below the rate that the server allows, of which live events have their share first. */

const SHARE_OF_RATE = 0.95;
/** What an advice to go slower takes off, and the least that stays. */
const SLOWER = 0.8;
const LEAST = 0.25;
/** Without a limit. */
const UNLIMITED = 1e9;
/** How much of a second may be sent at once. */
const BURST = 0.25;

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

/** `eventsPerSecond` 0 is no limit. */
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
