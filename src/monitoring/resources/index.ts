import { HOST_STALE_MS, READING_INTERVAL_MS } from "../../contract/resources.ts";
import { SCOPES } from "../../contract/scope.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import { createUsageAround } from "./around.ts";
import { createCurrent } from "./current.ts";
import { createHistory } from "./history.ts";
import { createObserver, type ResourceObserver } from "./observe.ts";
import { createOverview, type KnownAgents } from "./overview.ts";
import { recallSparklines } from "./recall.ts";
import { createRecorder, type Recorder } from "./record.ts";
import { resourceRoutes } from "./routes.ts";
import { createResourceService, type ResourceService } from "./service.ts";
import { createSparklines } from "./sparkline.ts";
import { createResourceStore, type SeriesStore } from "./store.ts";
import { createThresholdWatch } from "./thresholds.ts";

export { COLUMN, RESOURCE_FAMILY } from "./family.ts";
export type { KnownAgents } from "./overview.ts";
export type { UsageAround } from "./around.ts";
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
  /** What an assistant may ask; made anew by each call. */
  tools(): Promise<Tool[]>;
  /** The events that tell of all that is bad now. */
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
      const ids = await store.containersOf(unit, agentId);
      purged.set(agentId, new Set(ids));
      await store.purge(unit, agentId, ids);
      await series.purge(unit, new Set(ids));
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
        // The peaks since the last minute are lost with the database; that it is gone is told elsewhere.
        if (!isServiceError(error, "storage_unavailable")) throw error;
      }
    },
  };
}
