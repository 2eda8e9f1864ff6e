import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { createFakeClock } from "./fake-clock.ts";

/** Timers this short collect what comes together; longer ones are what happens in the world. */
const COLLECTS_WITHIN_MS = 250;

/** A clock that is turned to a moment and then stands still. */
export interface StandingClock extends Clock {
  /** Moves time on, in steps that leave work on files the time it needs. */
  turn(milliseconds: number): Promise<void>;
  /** From now on time stands still; only what collects for a moment follows the machine's time. */
  stop(): void;
}

export function createStandingClock(start: Date): StandingClock {
  const clock = createFakeClock(start);
  let isStopped = false;
  return {
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    after: (delayMs, callback) =>
      isStopped && delayMs <= COLLECTS_WITHIN_MS ? systemClock.after(delayMs, callback) : clock.after(delayMs, callback),
    turn: clock.advance,
    stop() {
      isStopped = true;
    },
  };
}
