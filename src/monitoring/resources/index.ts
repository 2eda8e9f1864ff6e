import { HOST_STALE_MS, READING_INTERVAL_MS } from "../../contract/thresholds.ts";
import { SCOPES } from "../../contract/scope.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import { TICK_MS } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import { createCurrent } from "./current.ts";
import { createHistory, createUsageAround } from "./history.ts";
import { createObserver, type ResourceObserver } from "./observe.ts";
import { createOverview, type KnownAgents } from "./overview.ts";
import { createRecorder, type Recorder } from "./record.ts";
import { resourceRoutes } from "./routes.ts";
import { createResourceService, type ResourceService } from "./service.ts";
import { COLUMN } from "./snapshot.ts";
import { createSparklines, POINT_MS, pointAt, POINTS, type Sparklines } from "./sparkline.ts";
import { createResourceStore, type SeriesStore, type SeriesFigures } from "./store.ts";
import { createThresholdWatch } from "./thresholds.ts";
import { createTop, createYesterday } from "./top.ts";

export { COLUMN, RESOURCE_FAMILY } from "./snapshot.ts";
export type { KnownAgents } from "./overview.ts";
export type { UsageAround } from "./history.ts";
export type { ResourceService } from "./service.ts";

export interface ResourcesDependencies {
  database: Database;
  /** Of {@link RESOURCE_FAMILY}; started before this. */
  series: SeriesStore;
  containers: Pick<Containers, "present" | "service" | "idsOf">;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  requireCapability(capability: string): void;
  /** The remote hosts that are enrolled, and what people call them. */
  agents?: KnownAgents | undefined;
}

export interface Resources extends Pick<ResourceObserver, "observe">, Recorder, Required<HostData> {
  service: ResourceService;
  routes: Route[];
  /** What an assistant may ask; created by each call. */
  tools(): Promise<Tool[]>;
  /** The events of every problem that is open now. */
  announce(): Event[];
  /** After the containers. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const NO_AGENTS: KnownAgents = { local: true, ids: () => [], labelOf: () => undefined };
const BREACHES_KEPT_MS = 90 * DAY_MS;

/** Resources: what hosts and containers use, since when, and when it is too much. */
export function createResources({
  database,
  series,
  containers,
  bus,
  clock,
  scheduler,
  requireCapability,
  agents = NO_AGENTS,
}: ResourcesDependencies): Resources {
  const { present } = containers;
  const store = createResourceStore(database);
  const sparklines = createSparklines();
  const current = createCurrent({ clock, sparklines });
  const overview = createOverview({ current, sparklines, present, clock, agents });
  const thresholds = createThresholdWatch({ store, current, containers, bus, clock });
  const observer = createObserver({ series, current, overview, thresholds, present, bus });
  const history = createHistory({ series, store, thresholds, clock });
  const service = createResourceService({
    containers,
    overview,
    history,
    around: createUsageAround({ series, clock, requireCapability }),
    top: createTop({ ticks: overview.ticks, present, yesterday: createYesterday({ series, clock }), requireCapability }),
    thresholds,
    isHostKnown: (agentId) =>
      agentId === null ? agents.local || [...present.hosts()].includes(null) : agents.labelOf(agentId) !== undefined,
    requireCapability,
  });

  /** Containers whose rows a unit deletes that is not committed yet, by host. */
  const purged = new Map<string, Set<number>>();

  let silences: DueTimer | undefined;

  /** Tries until everyone who was there at the start has been asked about. */
  function recallInBackground(): void {
    const ids = new Set(present.ids());
    const end = scheduler.every({
      name: "sparklines of the last hour",
      everyMs: READING_INTERVAL_MS,
      firstAfterMs: 2_000,
      async run(signal) {
        await recallSparklines({ ids, series, sparklines, clock, signal });
        if (ids.size === 0) end();
      },
    });
  }

  return {
    async observe(agentId, observations) {
      await observer.observe(agentId, observations);
      silences?.within(HOST_STALE_MS);
    },
    ...createRecorder({ series, containers }),
    service,
    routes: resourceRoutes(service),
    tools: async () => (await import("./tools.ts")).resourceTools(service, containers.service),
    announce: thresholds.announce,
    async holdHost() {
      const releases = [await thresholds.hold(), await series.hold()];
      return () => releases.forEach((release) => release());
    },
    async purgeHost(unit, agentId) {
      const ids = new Set(await store.containersOf(unit, agentId));
      purged.set(agentId, ids);
      await store.purge(unit, agentId);
      await series.purge(unit, ids);
    },
    forgetHost(agentId) {
      const ids = purged.get(agentId) ?? new Set();
      purged.delete(agentId);
      series.forget(ids);
      thresholds.forget(ids, { type: SCOPES.host, id: agentId });
      sparklines.keep((id) => !ids.has(id));
      observer.forgetHost(agentId);
    },
    async start() {
      await thresholds.start();
      silences = scheduler.whenDue({ name: "silent hosts", run: async () => observer.endSilent(clock.now()) });
      scheduler.every({
        name: "peaks and sparklines",
        everyMs: MINUTE_MS,
        async run() {
          sparklines.keep((id) => present.get(id) !== undefined);
          await thresholds.savePeaks();
        },
      });
      scheduler.every({
        name: "breach retention",
        everyMs: HOUR_MS,
        firstAfterMs: 70_000,
        run: (signal) => thresholds.prune(new Date(clock.now().getTime() - BREACHES_KEPT_MS), signal),
      });
      recallInBackground();
    },
    async stop() {
      try {
        await thresholds.savePeaks();
      } catch (error) {
        // The peaks since the last minute are lost with the database; that it is gone is reported elsewhere.
        if (!isServiceError(error, "storage_unavailable")) throw error;
      }
    },
  };
}

/** Between two containers, so that nobody waits for this. */
const PAUSE_MS = 5;

/** Fills the sparklines of containers from what was kept of their last hour. Who was filled is off the list. Throws `storage_unavailable`. */
async function recallSparklines({
  ids,
  series,
  sparklines,
  clock,
  signal,
}: {
  ids: Set<number>;
  series: SeriesStore;
  sparklines: Sparklines;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) return;
    const nowMs = clock.now().getTime();
    const lastPoint = pointAt(nowMs);
    const firstPoint = lastPoint - POINTS + 1;
    const figures = await series.read({ id, fromMs: firstPoint * POINT_MS, toMs: (lastPoint + 1) * POINT_MS, stepMs: POINT_MS });
    const means = meansOf(figures);
    if (means !== undefined) {
      const ticksUnderWay = Math.ceil((nowMs - lastPoint * POINT_MS) / TICK_MS);
      sparklines.fill(id, { ...means, firstPoint, count: (point) => (point === lastPoint ? ticksUnderWay : POINT_MS / TICK_MS) });
    }
    ids.delete(id);
    if (ids.size > 0) await pause(clock, PAUSE_MS, signal);
  }
}

/** undefined when nothing was measured. */
function meansOf(figures: readonly SeriesFigures[]): { cpu: Float64Array; memory: Float64Array } | undefined {
  const cpu = figures[COLUMN.cpu_percent]?.mean;
  const used = figures[COLUMN.memory_bytes]?.mean;
  const limits = figures[COLUMN.memory_limit_bytes]?.mean;
  if (cpu === undefined || used === undefined || limits === undefined) return undefined;
  const memory = used.map((bytes, point) => Math.min((bytes / (limits[point] || Number.NaN)) * 100, 100));
  return [...cpu, ...memory].every(Number.isNaN) ? undefined : { cpu, memory };
}
