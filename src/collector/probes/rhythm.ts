import type { CheckResult, EndpointCheck } from "../../observations.ts";

/** How an endpoint is doing, as far as its rhythm of checks needs to know; monitoring judges for itself. */
export interface Rhythm {
  status: "unknown" | "up" | "down";
  /** Results in a row that speak against the status, fewer than decide. */
  doubts: number;
}

export const FIRST_RHYTHM: Rhythm = { status: "unknown", doubts: 0 };

/** Between checks until a change is decided, unless the interval is shorter. Source: contract, section 2, Status. */
const RECHECK_MS = 5_000;

/** What was not observed changes nothing. */
export function nextRhythm(rhythm: Rhythm, { success, observed }: Pick<CheckResult, "success" | "observed">, check: EndpointCheck): Rhythm {
  if (!observed) return rhythm;
  const { status, doubts } = rhythm;
  const speaksAgainst = status === "down" ? success : !success;
  if (!speaksAgainst) return { status: success ? "up" : "down", doubts: 0 };
  const threshold = success ? check.recoveryThreshold : check.failureThreshold;
  return doubts + 1 < threshold ? { status, doubts: doubts + 1 } : { status: success ? "up" : "down", doubts: 0 };
}

/**
 * When the next check is due, after one that began at `startedMs` and ended at `nowMs`: soon while there is doubt, else at the next beat of
 * the interval, counted from `beatMs`. Never before now.
 */
export function nextDueMs(
  rhythm: Rhythm,
  { intervalMs }: EndpointCheck,
  times: { beatMs: number; startedMs: number; nowMs: number },
): number {
  const { beatMs, startedMs, nowMs } = times;
  if (rhythm.doubts > 0) return Math.max(startedMs + Math.min(intervalMs, RECHECK_MS), nowMs);
  const beats = Math.floor((startedMs - beatMs) / intervalMs) + 1;
  return Math.max(beatMs + beats * intervalMs, nowMs);
}

/** Golden ratio: its multiples, without their whole parts, lie as evenly as can be, however many there are. */
const GOLDEN = 0.618_033_988_749_894_9;

/** When the n-th of many checks is due first, within 5 s, and from when on its beats are counted, spread over its interval. */
export function firstBeats(n: number, { intervalMs }: EndpointCheck, nowMs: number): { dueMs: number; beatMs: number } {
  const place = (n * GOLDEN) % 1;
  const soonMs = Math.min(RECHECK_MS, intervalMs) * 0.8;
  return { dueMs: nowMs + place * soonMs, beatMs: nowMs + soonMs + place * intervalMs };
}
