import { DAY_MS } from "../../../contract/time.ts";
import { KEPT_DAYS } from "../../../contract/retention.ts";
import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Serial } from "../../../platform/serial.ts";
import type { PresentContainers } from "../../containers/index.ts";
import type { Allocations } from "./allocations.ts";
import { endComparison } from "./comparison.ts";
import { comparedEvent } from "./events.ts";
import { ONE_BY_ONE } from "./follow.ts";
import type { ComparisonProjection } from "./projection.ts";
import type { ComparisonStore } from "./store.ts";

export interface RetentionParts {
  store: ComparisonStore;
  projection: ComparisonProjection;
  present: Pick<PresentContainers, "get">;
  allocations: Allocations;
  bus: Bus<Event>;
  clock: Clock;
  serial: Serial;
}

const MOST_COMPARISONS = 10_000;

/** Deletes what is past its time. */
export function createRetention({
  store,
  projection,
  present,
  allocations,
  bus,
  clock,
  serial,
}: RetentionParts): (signal: AbortSignal) => Promise<void> {
  async function pruneRuns(): Promise<void> {
    // A container that comes back later is new.
    const before = clock.now().getTime() - KEPT_DAYS.removedContainers * DAY_MS;
    const old = [...projection.all()].filter(({ goneAt }) => goneAt !== null && goneAt.getTime() < before);
    if (old.length === 0) return;
    await store.removeRuns(old);
    for (const run of old) projection.remove(run);
  }

  async function pruneComparisons(): Promise<boolean> {
    const now = clock.now();
    const gone = new Set(
      await store.prune({ before: new Date(now.getTime() - KEPT_DAYS.updateComparisons * DAY_MS), most: MOST_COMPARISONS }),
    );
    for (const run of [...projection.all()]) {
      if (run.comparisonId === null || !gone.has(run.comparisonId)) continue;
      const comparison = projection.comparison(run.comparisonId);
      const container = present.get(run.containerId);
      projection.put({ ...run, comparisonId: null });
      // Nobody could end it any more.
      if (comparison?.alerting === true && container !== undefined) bus.publish(comparedEvent(endComparison(comparison), container, now));
    }
    return gone.size > 0;
  }

  return async (signal) => {
    allocations.keep((id) => present.get(id) !== undefined);
    await serial(ONE_BY_ONE, pruneRuns);
    while (!signal.aborted && (await serial(ONE_BY_ONE, pruneComparisons)));
  };
}
