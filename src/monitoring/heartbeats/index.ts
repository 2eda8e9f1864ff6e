import { KEPT_DAYS } from "../../contract/retention.ts";
import type { StateSpan } from "../../contract/strip.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import { createPauses } from "../pause-store.ts";
import type { HostData } from "../hosts/index.ts";
import { lifeEvent, ONE_BY_ONE, problemEvents, type SavedHeartbeat } from "./changes.ts";
import { createDeadlineWatch } from "./deadlines.ts";
import { createHistoryStore, createMomentStore, type MomentOfHeartbeats } from "./history-store.ts";
import { createPingIntake, pingRoutes } from "./pings.ts";
import { createProjection } from "./projection.ts";
import { heartbeatRoutes } from "./routes.ts";
import { createTimetable } from "./schedule.ts";
import { createHeartbeatService, type HeartbeatService } from "./service.ts";
import { Serving } from "./serving.ts";
import { createHeartbeatStore } from "./store.ts";
import { createGapStore } from "./gap-store.ts";
import { stateSpans, UPTIME_DAYS } from "./uptime.ts";

export type { HeartbeatAt } from "./history-store.ts";
export type { HeartbeatService } from "./service.ts";

export interface HeartbeatsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** The public origin, for ping URLs. */
  baseUrl: string;
}

export interface Heartbeats extends Required<HostData> {
  service: HeartbeatService;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** In memory. */
  find(id: number): SavedHeartbeat | undefined;
  present(): SavedHeartbeat[];
  /** When pings of those that are there were waited for in a stretch of the last day, as `up`; alerts show when they failed to come. */
  stateSpans(window: { from: number; to: number }): Promise<Map<number, StateSpan[]>>;
  /** Those that were there at a moment, and how each was by its pings. */
  at: MomentOfHeartbeats;
  /** The events of every problem that is open now. */
  announce(): Event[];
  start(): Promise<void>;
  /** For the time in which pings can be taken: deadlines are judged from then on, and move by the rest of the time. */
  pings: { start(): Promise<void>; stop(): Promise<void> };
}

/** While there are heartbeats: how often deadlines are judged, and the clock is checked. */
const CHECK_EVERY_MS = 500;

/** Heartbeats: jobs that report by themselves, and what it means when they do not. */
export function createHeartbeats({ database, bus, clock, scheduler, baseUrl }: HeartbeatsDependencies): Heartbeats {
  const pauses = createPauses(database, { table: "heartbeat_pauses", owner: "heartbeat_id" });
  const store = createHeartbeatStore(database, pauses);
  const history = createHistoryStore(database);
  const projection = createProjection(baseUrl);
  const gapStore = createGapStore(database);
  const serial = createSerial();
  const serving = new Serving({ expect: createTimetable(), gapStore, store, projection, serial, clock });
  const shared = { store, projection, serving, serial, bus, clock };
  const watch = createDeadlineWatch(shared);
  const service = createHeartbeatService({ ...shared, history, intake: createPingIntake(shared), baseUrl });

  async function prune(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const limits = {
      pingsBefore: new Date(now.getTime() - KEPT_DAYS.heartbeatPings * DAY_MS),
      daysBefore: new Date(now.getTime() - UPTIME_DAYS * DAY_MS),
      now,
    };
    while (!signal.aborted && (await history.prune(limits)));
    while (!signal.aborted && (await history.purge()));
    while (!signal.aborted && (await pauses.prune(new Date(now.getTime() - KEPT_DAYS.pauses * DAY_MS))));
    await gapStore.prune();
  }

  /** In how many milliseconds the clock is to be checked again. */
  function nextLookMs(): number {
    return projection.count() > 0 ? CHECK_EVERY_MS : Infinity;
  }

  async function judge(signal: AbortSignal): Promise<number> {
    await watch.judge(signal);
    return nextLookMs();
  }

  /** Apart from judging, which may wait for the database for long. */
  async function noteGaps(): Promise<number> {
    await serving.checkClock();
    await serving.keep();
    return nextLookMs();
  }

  return {
    service,
    routes: [...heartbeatRoutes(service), ...pingRoutes(service)],
    tools: async () => (await import("./tools.ts")).heartbeatTools({ projection, baseUrl }),
    find: projection.get,
    present: () => [...projection.all()],
    async stateSpans(window) {
      const known = [...projection.all()].filter(({ status, recentOutcomes }) => status !== "new" || recentOutcomes.length > 0);
      const days = await history.days(
        known.map(({ id }) => id),
        Math.floor(window.from / DAY_MS) * DAY_MS,
      );
      const { gaps } = serving.times();
      return new Map(
        known.map(({ id, createdAt, status, statusChangedAt, tally }) => {
          // One that failed before it was paused is unknown after it too, until it reports.
          const pausedSince = status === "paused" || status === "new" ? statusChangedAt : null;
          return [id, stateSpans({ createdAt, pausedSince, tally, past: days.get(id) ?? [], gaps }, window)];
        }),
      );
    },
    at: createMomentStore({ database, pauses, all: projection.all, times: () => serving.times() }),
    holdHost: () => hold(shared.serial, ONE_BY_ONE),
    purgeHost: history.purgeHost,
    forgetHost(agentId) {
      const now = clock.now();
      for (const heartbeat of [...projection.all()].filter((each) => each.agentId === agentId)) {
        projection.remove(heartbeat.id);
        bus.publish(lifeEvent("heartbeat.deleted", heartbeat, now));
      }
    },
    announce() {
      const now = clock.now();
      return [...projection.all()].flatMap((heartbeat) => problemEvents(heartbeat, now));
    },
    async start() {
      await serving.load();
      for await (const heartbeat of store.all(serving.times())) projection.put(heartbeat);
      scheduler.every({
        name: "heartbeat retention",
        everyMs: HOUR_MS,
        firstAfterMs: 80_000,
        run: prune,
      });
    },
    pings: {
      async start() {
        await serving.open();
        // While the database is gone no ping can be kept.
        database.onStatus(({ connected }) => {
          if (connected) void serving.open();
          else serving.close();
        });
        const timers = [
          scheduler.whenDue({ name: "heartbeat deadlines", run: judge }),
          scheduler.whenDue({ name: "heartbeat gaps", run: noteGaps }),
        ];
        projection.onFirst(() => {
          for (const timer of timers) timer.within(CHECK_EVERY_MS);
        });
      },
      async stop() {
        serving.close();
        await serving.keep();
      },
    },
  };
}
