import type { ResourceMetric } from "../../events.ts";
import {
  type LimitChange,
  type Limits,
  METRICS,
  NOT_EXCEEDED,
  stepThreshold,
  type ThresholdState,
  type Breach,
  type BreachChange,
  type BreachEnd,
} from "./limits.ts";
import { percent, type ReadingColumns, shareInPercent, type Tick } from "./snapshot.ts";

/** What is to be saved and published; `keep` applies it in memory, once it was saved. */
export interface Verdict {
  changes: BreachChange[];
  keep(): void;
}

/** How containers stand to the thresholds that apply to them, in memory. */
export interface Watch {
  load(open: readonly Breach[]): void;
  /** The breach that lasts, with the most until now. */
  breach(id: number, metric: ResourceMetric): Breach | null;
  open(): Breach[];
  /** What a tick makes of them. Breaches of containers that are not in it end where `isOver` says so. */
  judge(tick: Tick, isOver: (id: number) => boolean): Verdict;
  /** What other thresholds make of them, by what is used now: what was pending is forgotten. Keeping it keeps the thresholds too. */
  reconsider(change: LimitChange, now: { valueOf(id: number, metric: ResourceMetric): number | null; at: Date }): Verdict;
  /** Of whom something is remembered. */
  ids(): Iterable<number>;
  forget(id: number): void;
}

interface Standing {
  state: ThresholdState;
  breach: Breach | null;
}

type Watched = Record<ResourceMetric, Standing>;

const AT_REST: Standing = { state: NOT_EXCEEDED, breach: null };

/** What is compared with a threshold: percent of what is allocated. */
export function valueAt(metric: ResourceMetric, columns: ReadingColumns, place: number): number | null {
  return metric === "cpu"
    ? percent(columns.cpuPercent[place])
    : shareInPercent(columns.memoryBytes[place], columns.memoryLimitBytes[place]);
}

export function createWatch(limits: Limits): Watch {
  const watched = new Map<number, Watched>();
  /** Containers with a breach that lasts. */
  const breached = new Set<number>();

  function stand(id: number, metric: ResourceMetric, standing: Standing): void {
    const entry = watched.get(id) ?? { cpu: AT_REST, memory: AT_REST };
    watched.set(id, entry);
    entry[metric] = standing;
    if (METRICS.every((each) => isAtRest(entry[each].state) && entry[each].breach === null)) watched.delete(id);
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
      restartedIfSetBack(standing.state, atMs),
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

  /** The end of a breach that no sample ends; nothing of what did not last. */
  function endLasting(id: number, metric: ResourceMetric, facts: { end: BreachEnd; value: number | null; at: Date }): BreachChange[] {
    const breach = breachOf(id, metric);
    const debounceSeconds = limits.of(id)?.thresholds.debounceSeconds ?? 0;
    return breach === null ? [] : [ended(breach, { debounceSeconds, ...facts })];
  }

  return {
    load(open) {
      for (const breach of open) {
        stand(breach.containerId, breach.metric, { state: { ...NOT_EXCEEDED, fired: true, peak: breach.peak }, breach });
      }
    },
    breach: breachOf,
    open: () => [...breached].flatMap((id) => METRICS.flatMap((metric) => breachOf(id, metric) ?? [])),
    judge(tick, isOver) {
      const changes: BreachChange[] = [];
      const next: [id: number, metric: ResourceMetric, standing: Standing][] = [];
      const at = new Date(tick.atMs);
      const ids = watched.size === 0 && limits.isEmpty() ? [] : tick.ids;
      for (const [place, containerId] of ids.entries()) {
        const entry = watched.get(containerId);
        const thresholds = limits.of(containerId)?.thresholds;
        if (entry === undefined && thresholds === undefined) continue;
        for (const metric of METRICS) {
          const standing = entry?.[metric] ?? AT_REST;
          const threshold = thresholds?.[metric] ?? null;
          const value = valueAt(metric, tick.columns, place);
          if (thresholds === undefined || threshold === null) {
            // It left the group or the host whose threshold it was.
            changes.push(...endLasting(containerId, metric, { end: "threshold_changed", value, at }));
            if (standing !== AT_REST) next.push([containerId, metric, AT_REST]);
            continue;
          }
          // Most of the time there is nothing to decide, and nothing to remember.
          if (isAtRest(standing.state) && (value === null || value <= threshold)) continue;
          const { debounceSeconds } = thresholds;
          const sample = { value, atMs: tick.atMs, debounceSeconds, standing };
          const judged = judgeSample({ containerId, metric, threshold }, sample);
          next.push([containerId, metric, judged.next]);
          if (judged.change !== undefined) changes.push(judged.change);
        }
      }
      for (const id of breached) {
        if (tick.placeOf(id) !== undefined || !isOver(id)) continue;
        for (const metric of METRICS) {
          changes.push(...endLasting(id, metric, { end: "not_watched", value: null, at }));
          next.push([id, metric, AT_REST]);
        }
      }
      return { changes, keep: () => next.forEach((each) => stand(...each)) };
    },
    reconsider(change, { valueOf, at }) {
      const changes: BreachChange[] = [];
      const next: [id: number, metric: ResourceMetric, standing: Standing][] = [];
      const after = limits.after(change);
      for (const id of watched.keys()) {
        const thresholds = after(id)?.thresholds;
        // Setting the same again restarts every wait, too.
        if (thresholds === limits.of(id)?.thresholds) continue;
        for (const metric of METRICS) {
          const breach = breachOf(id, metric);
          const [threshold, value] = [thresholds?.[metric] ?? null, valueOf(id, metric)];
          const lasts = breach !== null && threshold !== null && (value === null || value > threshold);
          next.push([id, metric, lasts ? { state: { ...NOT_EXCEEDED, fired: true, peak: breach.peak }, breach } : AT_REST]);
          if (breach !== null && !lasts)
            changes.push(ended(breach, { end: "threshold_changed", value, debounceSeconds: thresholds?.debounceSeconds ?? 0, at }));
        }
      }
      return {
        changes,
        keep() {
          limits.keep(change);
          for (const each of next) stand(...each);
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
function restartedIfSetBack(state: ThresholdState, atMs: number): ThresholdState {
  return state.lastMs !== null && state.lastMs >= atMs ? { ...state, pendingSinceMs: null, lastMs: null } : state;
}

function ended(
  breach: Breach,
  { end, value, debounceSeconds, at }: { end: BreachEnd; value: number | null; debounceSeconds: number; at: Date },
): BreachChange {
  const resolvedAt = new Date(Math.max(at.getTime(), breach.firedAt.getTime()));
  return { breach: { ...breach, resolvedAt }, end, value, debounceSeconds, at };
}
