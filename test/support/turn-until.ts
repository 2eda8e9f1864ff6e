import type { FakeClock } from "./fake-clock.ts";
import { forgave } from "./forgiven.ts";
import { until } from "./until.ts";

export interface Turning {
  /** How far the clock is turned between two looks. */
  stepMs: number;
  /** The time by the turned clock within which the condition has to hold; more is reported as forgiven. */
  mostMs: number;
  /** Real time between two looks, in which databases and sockets answer. */
  everyMs?: number;
  what?: string;
}

/** For so long databases and sockets may answer once the clock was turned as far as it should be. */
const ANSWERED_WITHIN_MS = 5000;

/** Turns the clock, step by step, until the condition holds. At `mostMs` it stops for what has yet to answer; turning on after that is reported. */
export async function turnUntil(
  clock: Pick<FakeClock, "advance">,
  condition: () => unknown,
  { stepMs, mostMs, everyMs = 10, what = String(condition) }: Turning,
): Promise<void> {
  let turnedMs = 0;
  let stoppedAt: number | undefined;
  const look = async (): Promise<unknown> => {
    const isTrue = await condition();
    if (isTrue) return isTrue;
    if (turnedMs + stepMs > mostMs) {
      stoppedAt ??= performance.now();
      if (performance.now() - stoppedAt < ANSWERED_WITHIN_MS) return false;
    }
    await clock.advance(stepMs);
    turnedMs += stepMs;
    return false;
  };
  await until(look, { everyMs, steady: true, what });
  if (turnedMs > mostMs) forgave(`the clock was turned by ${turnedMs} ms, not ${mostMs}, until ${what}`);
}
