import type { Check } from "./checks/check.ts";
import type { Head } from "./checks/head.ts";
import type { CheckHistory } from "./checks/history.ts";
import type { EndpointStore } from "./store.ts";
import { byDay, type Span, spansOfLate } from "./tally.ts";

/** Adds what came late to the history, to the days, and to nothing else. Each call must wait for the one before. */
export interface Past {
  /** Checks that are known already are left out. Throws `storage_unavailable`. */
  add(endpointId: number, checks: readonly Check[], longestMs: number): Promise<void>;
}

export function createPast({
  store,
  history,
  head,
  onCounted,
}: {
  store: Pick<EndpointStore, "savePast">;
  history: Pick<CheckHistory, "range">;
  head: Head;
  /** What was counted anew of an endpoint. */
  onCounted(endpointId: number, spans: readonly Span[]): void;
}): Past {
  return {
    async add(endpointId, checks, longestMs) {
      const times = checks.map(({ atMs }) => atMs);
      const known = await history.range(endpointId, { fromMs: Math.min(...times) - longestMs, toMs: Math.max(...times) + longestMs });
      const taken = new Set(known.map(({ atMs }) => atMs));
      const late = [...new Map(checks.map((check) => [check.atMs, { ...check, late: true, wentDown: false }])).values()]
        .filter(({ atMs }) => !taken.has(atMs))
        .toSorted((a, b) => a.atMs - b.atMs);
      if (late.length === 0) return;
      const spans = spansOfLate(known, late, longestMs);
      head.reach(await store.savePast(endpointId, late, byDay(late, spans)));
      for (const check of late) head.add(endpointId, check);
      onCounted(endpointId, spans);
    },
  };
}
