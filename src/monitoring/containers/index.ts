import { KEPT_DAYS } from "../../contract/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import type { HostData } from "../hosts/index.ts";
import { archivedEvent, problemEvents, removedEvent } from "./changes.ts";
import { createDownWatch, type Successors } from "./down-watch.ts";
import { createGenerationStore } from "./generations-store.ts";
import { createHostLimit } from "./host-limit.ts";
import { type ClockOffset, createHostTimes } from "./host-times.ts";
import { createArchivedStore } from "./archived-store.ts";
import { createHistoryStore, createPastStore, type PastOfContainers } from "./history-store.ts";
import { type ContainerObserver, createObserver } from "./observe.ts";
import { createMomentStore, type MomentOfContainers } from "./moment-store.ts";
import { createProjection, type PresentContainers } from "./projection.ts";
import { createRecorder, type Recorder } from "./record.ts";
import { createReplayStore } from "./replay-store.ts";
import { containerRoutes } from "./routes.ts";
import { createContainerService, type ContainerService, type LogSource, type StoredLogs } from "./service.ts";
import { archive } from "./sightings.ts";
import { createStatistics, type Statistics } from "./statistics.ts";
import { createContainerStore } from "./store.ts";

export type { LinesOmitted } from "./api.ts";
export { aboutContainer } from "./changes.ts";
export { isBeside, runs, slotOf, stoppedAs, usesResources } from "./container.ts";
export { cutLine } from "./excerpt.ts";
export type { ContainerCounts } from "./list.ts";
export type { ContainerAt } from "./moment-store.ts";
export type { PresentContainers, ReadResources, Usage } from "./projection.ts";
export type { SavedContainer } from "./rows.ts";
export type { ContainerService, LogSource, StoredLogs } from "./service.ts";
export { stripStateOf } from "./uptime.ts";

export interface ContainersDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  logSource: LogSource;
  /** Absent: no logs are stored. */
  storedLogs?: StoredLogs | undefined;
  /** How long a container is down before an alert fires; null: only for containers whose label sets it. */
  downAfterMs?: number | null;
  /** By default the clocks of all hosts are right. */
  clockOffsetMs?: ClockOffset;
}

export interface Containers extends ContainerObserver, Recorder, Required<HostData> {
  service: ContainerService;
  routes: Route[];
  /** What an assistant may ask; re-created by each call. */
  tools(): Promise<Tool[]>;
  present: PresentContainers;
  /** What happened, for looking back over all of them. */
  past: PastOfContainers;
  /** How all of them were at one moment. */
  moment: MomentOfContainers;
  /** How those that are there were during a stretch of time, as far as their hosts were watched. */
  stateSpans: Statistics["stateSpans"];
  /** The ids of those of these containers that are known and not ignored, by their external ids; archived ones too. */
  idsOf(agentId: string | null, externalIds: readonly string[]): Promise<Map<string, number>>;
  /** The runtime's time of the newest thing known of the local host; where its events are taken up again. */
  resumeFrom(): Date | undefined;
  /** The events of every problem that is open now. */
  announce(): Event[];
  /** Whether a container that was down is so no longer; undefined when it is not there. */
  isDownOver(id: number): boolean | undefined;
  /** Whether a problem of a container is alerted, by the event of the alert; undefined when the container is not there. */
  isAlerted(id: number, event: string): boolean | undefined;
  /** `successors` know the next tasks of slots in swarms; by default there is none. */
  start(successors?: Successors): Promise<void>;
}

const NO_SUCCESSORS: Successors = { isSuperseded: () => false, onSuccession: () => undefined };
/** In one line of the log. */
const MOST_NAMED = 50;

/** Containers: what runs, what broke, since when. */
export function createContainers({
  database,
  bus,
  clock,
  scheduler,
  log,
  logSource,
  storedLogs,
  downAfterMs = null,
  clockOffsetMs = () => 0,
}: ContainersDependencies): Containers {
  const store = createContainerStore(database);
  const generations = createGenerationStore(database);
  const history = createHistoryStore(database);
  const projection = createProjection();
  const statistics = createStatistics({ history, generations, projection, clock });
  const hostLimit = createHostLimit({ projection, clock, log });
  const hosts = createHostTimes({ bus, clock, clockOffsetMs });
  const { start: startObserving, ...observer } = createObserver({
    store,
    generations,
    projection,
    hostLimit,
    bus,
    serial: createSerial(),
    scheduler,
    hosts,
  });
  const downWatch = createDownWatch({ present: projection, bus, nowOf: hosts.nowOf, scheduler, afterMs: downAfterMs });
  const service = createContainerService({
    store,
    archived: createArchivedStore(database),
    generations,
    history,
    projection,
    statistics,
    logSource,
    storedLogs,
    clock,
  });

  async function prune(signal: AbortSignal): Promise<void> {
    const now = clock.now().getTime();
    const limits = {
      archivedBefore: new Date(now - KEPT_DAYS.removedContainers * DAY_MS),
      historyBefore: new Date(now - KEPT_DAYS.transitions * DAY_MS),
    };
    while (!signal.aborted && (await store.prune(limits)));
    projection.setArchivedCount(await store.countArchived());
  }

  return {
    ...observer,
    ...createRecorder({ store, replay: createReplayStore(database) }),
    service,
    routes: containerRoutes(service),
    tools: async () => (await import("./tools.ts")).containerTools(service),
    present: projection,
    past: createPastStore(database),
    moment: createMomentStore(database),
    stateSpans: statistics.stateSpans,
    async idsOf(agentId, externalIds) {
      const found = externalIds.flatMap((externalId) => projection.find(agentId, externalId) ?? []);
      const present = new Set(found.map(({ externalId }) => externalId));
      const missing = externalIds.filter((externalId) => !present.has(externalId));
      const known = [...found, ...(await store.findByExternalIds(agentId, missing))];
      const ids = new Map(known.filter(({ settings }) => !settings.ignored).map(({ externalId, id }) => [externalId, id]));
      for (const [externalId, id] of await generations.containersOf(agentId, missing)) if (!ids.has(externalId)) ids.set(externalId, id);
      return ids;
    },
    purgeHost: store.purgeHost,
    forgetHost(agentId) {
      const at = clock.now();
      for (const container of projection.ofHost(agentId)) {
        const gone = { ...archive(container, at).next, id: container.id };
        if (!gone.settings.ignored) bus.publish(archivedEvent(gone));
      }
      for (const container of [...projection.ofHost(agentId), ...projection.awaited(agentId)]) {
        projection.put({ ...container, archivedAt: at, removedAt: at });
        if (!container.settings.ignored) bus.publish(removedEvent(container, at));
      }
      projection.setResources(agentId, undefined);
    },
    resumeFrom() {
      const times = projection.ofHost(null).map((container) => container.lastObservedAt.getTime());
      return times.length === 0 ? undefined : new Date(Math.max(...times));
    },
    announce() {
      const shown = [...projection.all()].filter(({ settings }) => !settings.ignored);
      return [...shown.flatMap((container) => problemEvents(container, hosts.nowOf(container.agentId))), ...downWatch.announce()];
    },
    isDownOver: downWatch.isOver,
    isAlerted(id, event) {
      const container = projection.get(id);
      return container && (event === "down" ? downWatch.isAlerted(container) : !container.settings.ignored);
    },
    async start(successors = NO_SUCCESSORS) {
      const joined = await store.takeJoined();
      if (joined.length > 0)
        log.info({ containers: joined.slice(0, MOST_NAMED), total: joined.length }, "re-created containers are one now");
      for (const container of await store.load()) projection.put(container);
      projection.setArchivedCount(await store.countArchived());
      startObserving();
      downWatch.start(successors);
      scheduler.every({
        name: "uptime figures",
        everyMs: 30_000,
        firstAfterMs: 11_000,
        async run() {
          await statistics.refresh24h();
          // A replay adds archived ones, and such as were re-created since, and cannot say so.
          projection.setArchivedCount(await store.countArchived());
          projection.setGenerations(await store.generations());
        },
      });
      scheduler.every({
        name: "container retention",
        everyMs: HOUR_MS,
        firstAfterMs: MINUTE_MS,
        run: prune,
      });
    },
  };
}
