import { KEPT_DAYS } from "../../../contract/retention.ts";
import { HOUR_MS, DAY_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Scheduler } from "../../../platform/scheduler.ts";
import { createSerial, hold } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import type { Containers } from "../../containers/index.ts";
import type { Endpoints } from "../../endpoints/index.ts";
import type { HostData } from "../../hosts/index.ts";
import type { ComparisonRecord } from "../answers.ts";
import { createEvaluations } from "./evaluations.ts";
import { comparedEvent, mayAlert, endComparison } from "./comparison.ts";
import { createFollow, type Follow, type ComparisonParts, ONE_BY_ONE } from "./follow.ts";
import { createMeasure } from "./measure.ts";
import { createComparisonProjection } from "./projection.ts";
import { createComparisonStore, createPastStore, type PastOfImages } from "./store.ts";
import { type UsageSeries, createAllocations } from "./usage.ts";

export { runNameOf } from "./image-run.ts";
export type { UsageSeries } from "./usage.ts";

export interface UpdateComparisonsDependencies {
  database: Database;
  /** This and the endpoints are started before this, and given observations before this. */
  containers: Pick<Containers, "present" | "service">;
  endpoints: Pick<Endpoints, "service">;
  /** Of the resources of containers. */
  series: UsageSeries;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** A container that does worse raises an alert. */
  alerts: boolean;
}

export interface UpdateComparisons extends Pick<Follow, "observe">, HostData {
  /** How a container does since its image last changed; undefined when that never did. */
  latestOf(containerId: number): ComparisonRecord | undefined;
  /** Which container runs what an image change brought; null when that is over, or not known any more. */
  holderOf(comparisonId: number): number | null;
  /** Which images took over from which. */
  past: PastOfImages;
  /** Whether a regression of a container raises an alert; undefined when it does not exist. */
  isAlerted(containerId: number): boolean | undefined;
  /** The events of every problem that is open now. */
  announce(): Event[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const EVALUATE_EVERY_MS = 30_000;

/** After an update: how a container does since its image changed, beside how it did before. */
export function createUpdateComparisons(dependencies: UpdateComparisonsDependencies): UpdateComparisons {
  const { database, containers, endpoints, series, bus, clock, scheduler, log, alerts } = dependencies;
  const { present } = containers;
  const store = createComparisonStore(database);
  const projection = createComparisonProjection();
  const allocations = createAllocations();
  const serial = createSerial();
  const parts = { store, projection, containers, allocations, bus, clock, serial, log, alerts };
  const follow = createFollow(parts);
  const measure = createMeasure({ containers: containers.service, endpoints: endpoints.service, series, allocations });
  const evaluateDue = createEvaluations({ ...parts, measure });
  const prune = createRetention(parts);
  const endTasks: (() => void)[] = [];

  return {
    observe: follow.observe,
    holdHost: () => hold(serial, ONE_BY_ONE),
    purgeHost: store.purgeHost,
    forgetHost(agentId) {
      for (const run of [...projection.all()]) if (run.host === agentId) projection.remove(run);
      follow.forgetHost(agentId);
    },
    latestOf: projection.latestOf,
    holderOf(comparisonId) {
      for (const run of projection.all()) if (run.comparisonId === comparisonId) return run.containerId;
      return null;
    },
    past: createPastStore(database),
    isAlerted(containerId) {
      const container = present.get(containerId);
      return container && alerts && mayAlert(container) && !container.settings.ignored;
    },
    announce() {
      if (!alerts) return [];
      const now = clock.now();
      return [...projection.all()].flatMap((run) => {
        const comparison = projection.comparison(run.comparisonId);
        const container = present.get(run.containerId);
        if (comparison?.alerting !== true || container === undefined || !mayAlert(container)) return [];
        return [comparedEvent(comparison, container, now)];
      });
    },
    async start() {
      for (const run of await store.runs()) projection.put(run);
      for (const comparison of await store.latest()) projection.putComparison(comparison);
      await follow.begin();
      endTasks.push(
        scheduler.every({
          name: "comparisons after updates",
          everyMs: EVALUATE_EVERY_MS,
          run: async (signal) => void (await evaluateDue(signal)),
        }),
        scheduler.every({ name: "comparison retention", everyMs: HOUR_MS, firstAfterMs: 130_000, run: prune }),
      );
    },
    async stop() {
      for (const end of endTasks.splice(0)) end();
    },
  };
}

const MOST_COMPARISONS = 10_000;

/** Deletes what is past its time. */
function createRetention(parts: ComparisonParts): (signal: AbortSignal) => Promise<void> {
  const { store, projection, allocations, bus, clock, serial } = parts;
  const { present } = parts.containers;

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
