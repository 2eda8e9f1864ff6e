import { type Clock, pause } from "../platform/clock.ts";

export interface TickOptions {
  clock: Clock;
  everyMs: number;
  signal: AbortSignal;
}

/**
 * Does work at every whole multiple of `everyMs` on the wall clock, until the signal. Work that takes longer skips the ticks it overruns.
 * A tick that is reached late by half the span or more, because the clock was set or the machine slept, is skipped too: what is
 * measured then does not belong to it.
 */
export async function atEveryTick({ clock, everyMs, signal }: TickOptions, work: (tick: Date) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const nowMs = clock.now().getTime();
    const tickMs = (Math.floor(nowMs / everyMs) + 1) * everyMs;
    await pause(clock, tickMs - nowMs, signal);
    const lateMs = clock.now().getTime() - tickMs;
    // Timers may also fire a little early; then the rest is waited for.
    if (!signal.aborted && lateMs >= 0 && lateMs < everyMs / 2) await work(new Date(tickMs));
  }
}
