import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";

/** The outage of the demo: the payments service was updated 17 minutes ago and has not started since. */

/** Before the start of the demo. */
export const UPDATED_MS_AGO = 17 * MINUTE_MS;
const YEAR_MS = 364 * DAY_MS;

/** When the history begins, a year before the start of the demo: on a whole hour, as figures are kept. */
export function startMsOf(updatedMs: number): number {
  return Math.floor((updatedMs + UPDATED_MS_AGO - YEAR_MS) / HOUR_MS) * HOUR_MS;
}

export const NEW_IMAGE = "ghcr.io/harbour-shop/payments:2.15.0";

/** How long it runs until it fails, and what Docker waits at most until it starts it again. */
const RUNS_MS = 4_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = MINUTE_MS;

export interface Run {
  /** How often it was started again before. */
  restarts: number;
  startedMs: number;
  endedMs: number;
}

/** The runs of the container that fails again and again, from its creation on, as Docker's restart policy makes them. */
export function* runsSince(createdMs: number): Generator<Run, never> {
  for (let restarts = 0, startedMs = createdMs; ; restarts += 1) {
    const endedMs = startedMs + RUNS_MS;
    yield { restarts, startedMs, endedMs };
    startedMs = endedMs + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** restarts);
  }
}

/** The last run that began by a moment. */
export function runAt(createdMs: number, atMs: number): Run {
  let last: Run = { restarts: 0, startedMs: createdMs, endedMs: createdMs + RUNS_MS };
  for (const run of runsSince(createdMs)) {
    if (run.startedMs > atMs) return last;
    last = run;
  }
  return last;
}

/** When it starts or ends next, after a moment. */
export function nextChangeMs(createdMs: number, afterMs: number): number {
  for (const { startedMs, endedMs } of runsSince(createdMs)) {
    if (startedMs > afterMs) return startedMs;
    if (endedMs > afterMs) return endedMs;
  }
  return afterMs;
}
