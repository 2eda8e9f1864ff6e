import type { ResourceMetric } from "../../events.ts";
import type { Breach, BreachChange, BreachEnd } from "./breach.ts";
import { percent, type ReadingColumns, shareInPercent } from "./snapshot.ts";
import { METRICS, NOT_EXCEEDED, stepThreshold, type Thresholds, type ThresholdState } from "./threshold.ts";
import type { Tick } from "./tick.ts";

/** What is to be saved and told; `keep` makes it so in memory, once it was saved. */
export interface Verdict {
  changes: BreachChange[];
  keep(): void;
}

/** The thresholds of containers, and how each stands, in memory. */
export interface Watch {
  load(thresholds: ReadonlyMap<number, Thresholds>, open: readonly Breach[]): void;
  thresholds(id: number): Thresholds | undefined;
  /** The breach that lasts, with the most until now. */
  breach(id: number, metric: ResourceMetric): Breach | null;
  open(): Breach[];
  /** What a tick makes of them. Breaches of containers that are not in it end where `isOver` says so. */
  judge(tick: Tick, isOver: (id: number) => boolean): Verdict;
  /** What other thresholds make of them, by what is used now: what was pending is forgotten. */
  reconsider(id: number, thresholds: Thresholds, now: { values: Record<ResourceMetric, number | null>; at: Date }): Verdict;
  ids(): Iterable<number>;
  forget(id: number): void;
}

interface Standing {
  state: ThresholdState;
  breach: Breach | null;
}

interface Watched extends Record<ResourceMetric, Standing> {
  thresholds: Thresholds;
}

const AT_REST: Standing = { state: NOT_EXCEEDED, breach: null };

/** What is compared with a threshold: percent of what is allocated. */
export function valueAt(metric: ResourceMetric, columns: ReadingColumns, place: number): number | null {
  return metric === "cpu"
    ? percent(columns.cpuPercent[place])
    : shareInPercent(columns.memoryBytes[place], columns.memoryLimitBytes[place]);
}

export function createWatch(): Watch {
  const watched = new Map<number, Watched>();
  /** Containers with a breach that lasts. */
  const breached = new Set<number>();

  function stand(id: number, metric: ResourceMetric, standing: Standing): void {
    const entry = watched.get(id);
    if (entry === undefined) return;
    entry[metric] = standing;
    if (METRICS.some((each) => entry[each].breach !== null)) breached.add(id);
    else breached.delete(id);
  }

  function breachOf(id: number, metric: ResourceMetric): Breach | null {
    const standing = watched.get(id)?.[metric];
    return standing === undefined || standing.breach === null
      ? null
      : { ...standing.breach, peak: standing.state.peak ?? standing.breach.peak };
  }

  /** What becomes of one figure by one sample. */
  function judgeSample(
    { containerId, metric, threshold }: Pick<Breach, "containerId" | "metric" | "threshold">,
    { value, atMs, debounceSeconds, standing }: { value: number | null; atMs: number; debounceSeconds: number; standing: Standing },
  ): { next: Standing; change: BreachChange | undefined } {
    const { state, change } = stepThreshold(
      startedAnewIfSetBack(standing.state, atMs),
      { value, atMs },
      { threshold, debounceMs: debounceSeconds * 1000 },
    );
    const at = new Date(atMs);
    if (change === "fired") {
      const breach = { containerId, metric, threshold, peak: state.peak ?? threshold, firedAt: at, resolvedAt: null };
      return { next: { state, breach }, change: { breach, end: null, value, debounceSeconds, at } };
    }
    const lasting = breachOf(containerId, metric);
    if (change === "cleared" && lasting !== null) {
      return { next: { state, breach: null }, change: ended(lasting, { end: "below_threshold", value, debounceSeconds, at }) };
    }
    return { next: { state, breach: standing.breach }, change: undefined };
  }

  return {
    load(thresholds, open) {
      for (const [id, each] of thresholds) watched.set(id, { thresholds: each, cpu: AT_REST, memory: AT_REST });
      for (const breach of open) {
        stand(breach.containerId, breach.metric, { state: { ...NOT_EXCEEDED, fired: true, peak: breach.peak }, breach });
      }
    },
    thresholds: (id) => watched.get(id)?.thresholds,
    breach: breachOf,
    open: () => [...breached].flatMap((id) => METRICS.flatMap((metric) => breachOf(id, metric) ?? [])),
    judge(tick, isOver) {
      const changes: BreachChange[] = [];
      const next: [id: number, metric: ResourceMetric, standing: Standing][] = [];
      for (let place = 0; place < tick.ids.length && watched.size > 0; place += 1) {
        const containerId = tick.ids[place] ?? 0;
        const entry = watched.get(containerId);
        if (entry === undefined) continue;
        for (const metric of METRICS) {
          const threshold = entry.thresholds[metric];
          if (threshold === null) continue;
          const value = valueAt(metric, tick.columns, place);
          // Most of the time there is nothing to decide, and nothing to remember.
          if (isAtRest(entry[metric].state) && (value === null || value <= threshold)) continue;
          const { debounceSeconds } = entry.thresholds;
          const sample = { value, atMs: tick.atMs, debounceSeconds, standing: entry[metric] };
          const judged = judgeSample({ containerId, metric, threshold }, sample);
          next.push([containerId, metric, judged.next]);
          if (judged.change !== undefined) changes.push(judged.change);
        }
      }
      for (const id of breached) {
        if (tick.placeOf(id) !== undefined || !isOver(id)) continue;
        for (const metric of METRICS) {
          const breach = breachOf(id, metric);
          const debounceSeconds = watched.get(id)?.thresholds.debounceSeconds ?? 0;
          if (breach !== null) changes.push(ended(breach, { end: "not_watched", value: null, debounceSeconds, at: new Date(tick.atMs) }));
          next.push([id, metric, AT_REST]);
        }
      }
      return { changes, keep: () => next.forEach((each) => stand(...each)) };
    },
    reconsider(id, thresholds, { values, at }) {
      const changes: BreachChange[] = [];
      const next: Record<ResourceMetric, Standing> = { cpu: AT_REST, memory: AT_REST };
      for (const metric of METRICS) {
        const breach = breachOf(id, metric);
        if (breach === null) continue;
        const [threshold, value] = [thresholds[metric], values[metric]];
        const lasts = threshold !== null && (value === null || value > threshold);
        if (lasts) next[metric] = { state: { ...NOT_EXCEEDED, fired: true, peak: breach.peak }, breach };
        else changes.push(ended(breach, { end: "threshold_changed", value, debounceSeconds: thresholds.debounceSeconds, at }));
      }
      return {
        changes,
        keep() {
          watched.set(id, { thresholds, ...next });
          for (const metric of METRICS) stand(id, metric, next[metric]);
        },
      };
    },
    ids: () => watched.keys(),
    forget(id) {
      watched.delete(id);
      breached.delete(id);
    },
  };
}

/** Neither exceeded nor about to be: then its last sample does not matter. */
function isAtRest({ fired, pendingSinceMs }: ThresholdState): boolean {
  return !fired && pendingSinceMs === null;
}

/** After the host's clock was set back, what is known lies ahead of every sample; so it counts from here. */
function startedAnewIfSetBack(state: ThresholdState, atMs: number): ThresholdState {
  return state.lastMs !== null && state.lastMs >= atMs ? { ...state, pendingSinceMs: null, lastMs: null } : state;
}

function ended(
  breach: Breach,
  { end, value, debounceSeconds, at }: { end: BreachEnd; value: number | null; debounceSeconds: number; at: Date },
): BreachChange {
  const resolvedAt = new Date(Math.max(at.getTime(), breach.firedAt.getTime()));
  return { breach: { ...breach, resolvedAt }, end, value, debounceSeconds, at };
}
