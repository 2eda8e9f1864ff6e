import type { FailureClass } from "../../../observations.ts";
import type { Check } from "./head.ts";
import { percentOf } from "../tally.ts";

/** What the checks of a stretch of time say, all together. */
export interface CheckSummary {
  /** Observed ones; the unobserved say nothing of the endpoint. */
  checks: number;
  failures: number;
  unobserved: number;
  /** Time after checks that succeeded / time observed, from the first check on; null when nothing was observed. */
  uptimePercent: number | null;
  /** Of the checks that were answered, in milliseconds: half of them were as fast, or 95 of 100. */
  responseTimeP50: number | null;
  responseTimeP95: number | null;
  /** `other`: nobody knows of which class it was. */
  failuresByClass: Record<FailureClass | "other", number>;
  lastFailureAtMs: number | null;
}

/** Counts checks as they come, in any order; one that comes twice counts once. Numbers alone are kept of them, since there may be tens of thousands. */
export function createCheckSummary(): { add(check: Check): void; end(untilMs: number, longestMs: number): CheckSummary } {
  const times: number[] = [];
  const outcomes: number[] = [];
  const responseTimes: number[] = [];

  return {
    add({ atMs, observed, success, failureClass, responseTimeMs }) {
      times.push(atMs);
      outcomes.push(!observed ? UNOBSERVED : success ? SUCCESS : CLASSES.indexOf(failureClass ?? "other"));
      responseTimes.push(responseTimeMs ?? Number.NaN);
    },
    end(untilMs, longestMs) {
      const order = inOrderOnce(times);
      const summary = emptySummary();
      const answered: number[] = [];
      let [upMs, downMs] = [0, 0];
      for (let place = 0; place < order.length; place += 1) {
        const index = order[place] ?? 0;
        const atMs = times[index] ?? 0;
        const outcome = outcomes[index] ?? UNOBSERVED;
        const responseTimeMs = responseTimes[index] ?? Number.NaN;
        if (outcome === UNOBSERVED) {
          summary.unobserved += 1;
          continue;
        }
        const nextMs = times[order[place + 1] ?? -1] ?? untilMs;
        const spokenForMs = Math.max(0, Math.min(nextMs - atMs, longestMs));
        summary.checks += 1;
        if (!Number.isNaN(responseTimeMs)) answered.push(responseTimeMs);
        if (outcome === SUCCESS) {
          upMs += spokenForMs;
          continue;
        }
        downMs += spokenForMs;
        summary.failures += 1;
        summary.failuresByClass[CLASSES[outcome] ?? "other"] += 1;
        summary.lastFailureAtMs = atMs;
      }
      const sorted = Float64Array.from(answered).sort();
      return {
        ...summary,
        uptimePercent: percentOf(upMs, downMs),
        responseTimeP50: percentile(sorted, 0.5),
        responseTimeP95: percentile(sorted, 0.95),
      };
    },
  };
}

const CLASSES = ["dns", "connect", "timeout", "tls", "http", "assertion", "other"] as const satisfies (FailureClass | "other")[];
const SUCCESS = CLASSES.length;
const UNOBSERVED = SUCCESS + 1;

function emptySummary(): CheckSummary {
  return {
    checks: 0,
    failures: 0,
    unobserved: 0,
    uptimePercent: null,
    responseTimeP50: null,
    responseTimeP95: null,
    failuresByClass: { dns: 0, connect: 0, timeout: 0, tls: 0, http: 0, assertion: 0, other: 0 },
    lastFailureAtMs: null,
  };
}

/** The places of times from the first to the last, each time once. They come almost always so. */
function inOrderOnce(times: readonly number[]): number[] {
  const places = Array.from(times, (_, place) => place);
  const isAfter = (place: number, before: number | undefined): boolean => (times[place] ?? 0) > (times[before ?? -1] ?? -Infinity);
  if (places.every((place) => isAfter(place, place - 1))) return places;
  return places.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0)).filter((place, index, sorted) => isAfter(place, sorted[index - 1]));
}

/** The nearest rank: a value that was seen. */
function percentile(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
