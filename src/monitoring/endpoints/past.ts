import type { Check } from "./checks/check.ts";
import type { Head } from "./checks/head.ts";
import type { CheckHistory } from "./checks/history.ts";
import type { EndpointStore } from "./store.ts";
import { byDay, type Carry, countLate, type Span } from "./tally.ts";

/** Checks of an endpoint that came late; at least one. */
export interface LateChecks {
  endpointId: number;
  checks: readonly Check[];
  /** For how long one of them speaks. */
  longestMs: number;
}

/** Adds what came late to the history, to the days, and to nothing else. Each call must wait for the one before. */
export interface Past {
  /** Of different endpoints of one host, in one go. Checks that are known already are left out. Throws `storage_unavailable`. */
  add(all: readonly LateChecks[]): Promise<void>;
}

export function createPast({
  store,
  history,
  head,
  carryOf,
  onCounted,
}: {
  store: Pick<EndpointStore, "savePast">;
  history: Pick<CheckHistory, "range">;
  head: Head;
  /** The check that speaks for now. */
  carryOf(endpointId: number): Carry | null;
  /** What was counted anew of an endpoint. */
  onCounted(endpointId: number, counted: { spans: readonly Span[]; carry: Carry | null }): void;
}): Past {
  /** What is not known yet of it, and what that counts; nothing is changed. */
  async function count({ endpointId, checks: given, longestMs }: LateChecks) {
    const times = given.map(({ atMs }) => atMs);
    const known = await history.range(endpointId, { fromMs: Math.min(...times) - longestMs, toMs: Math.max(...times) + longestMs });
    const taken = new Set(known.map(({ atMs }) => atMs));
    const checks = [...new Map(given.map((check) => [check.atMs, { ...check, late: true, wentDown: false }])).values()]
      .filter(({ atMs }) => !taken.has(atMs))
      .toSorted((a, b) => a.atMs - b.atMs);
    const counted = countLate({ known, late: checks, carry: carryOf(endpointId) }, longestMs);
    return { endpointId, checks, counted, days: byDay(checks, counted.spans) };
  }

  return {
    async add(all) {
      const late: Awaited<ReturnType<typeof count>>[] = [];
      for (const each of all) late.push(await count(each));
      const news = late.filter(({ checks }) => checks.length > 0);
      if (news.length === 0) return;
      head.reach(await store.savePast(news));
      for (const { endpointId, checks, counted } of news) {
        for (const check of checks) head.add(endpointId, check);
        onCounted(endpointId, counted);
      }
    },
  };
}
