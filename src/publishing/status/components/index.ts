import type { Entity } from "../../../alerting/index.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { DueTimer, Scheduler } from "../../../platform/scheduler.ts";
import { createSerial, hold } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import type { Unit } from "../../../storage/statements.ts";
import type { Components, Incidents } from "../seams.ts";
import type { Impact } from "../vocabulary.ts";
import { isOnPage, withoutHost } from "./component.ts";
import type { Monitors } from "./monitors.ts";
import { createProjection } from "./projection.ts";
import { componentRoutes } from "./routes.ts";
import { createComponentService } from "./service.ts";
import { createComponentStore } from "./store.ts";
import { createUpdater, LOOK_EVERY_MS, ONE_BY_ONE } from "./updater.ts";

export { type MonitoringFeatures, type Monitors, monitorsOf, type ObservedHosts } from "./monitors.ts";

export interface ComponentsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** Of features that are started before this. */
  monitors: Monitors;
  /** Maintenance windows, of alerting, which is started before this. */
  windows: () => readonly MaintenanceRecord[];
}

/** The impact of open incidents on the page; they are built after its components. */
interface IncidentImpacts extends Pick<Incidents, "onChange"> {
  impactOn(componentId: number): Impact | null;
  /** Of those that name no component. */
  impactOnPage(): Impact | null;
}

const NO_INCIDENTS: IncidentImpacts = { impactOn: () => null, impactOnPage: () => null, onChange: () => undefined };

export interface StatusComponents extends Components {
  routes: Route[];
  /** What components stand for; unknown ones for nothing. */
  coverOf(ids: readonly number[]): Entity[];
  has(id: number): boolean;
  /** Leaves all components as they are, until the answer is called. */
  holdHost(): Promise<() => void>;
  /** In the unit that deletes a host: its components stay, and stand for nothing. */
  purgeHost(unit: Unit, agentId: string): Promise<void>;
  forgetHost(agentId: string): void;
  /** After the incidents were loaded; without them nothing about the page is published. */
  start(incidents?: IncidentImpacts): Promise<void>;
  stop(): Promise<void>;
}

/** Components of the status page: what the public sees of what is watched, and how it stood in the last 90 days. */
export function createComponents({ database, bus, clock, scheduler, monitors, windows }: ComponentsDependencies): StatusComponents {
  let impacts = NO_INCIDENTS;
  const store = createComponentStore(database);
  const projection = createProjection(clock.now, () => impacts.impactOnPage());
  const serial = createSerial();
  const impactOn = (componentId: number): Impact | null => impacts.impactOn(componentId);
  const updater = createUpdater({ store, projection, serial, monitors, windows, impactOn, bus, clock });
  const service = createComponentService({ store, projection, updater, monitors, clock });
  const ends: (() => void)[] = [];
  let timers: readonly DueTimer[] = [];
  let isStarted = false;
  updater.onChange(() => {
    for (const timer of timers) timer.within(LOOK_EVERY_MS);
  });

  return {
    routes: componentRoutes(service),
    board: projection.board,
    find: projection.shown,
    automaticFor: (monitor) =>
      [monitor, ...monitors.scopesOf(monitor)]
        .flatMap(projection.standFor)
        .filter((component) => component.autoIncident && isOnPage(component))
        .flatMap(({ id }) => projection.shown(id) ?? []),
    onChange: updater.onChange,
    coverOf: (ids) =>
      ids.flatMap((id) => {
        const monitor = projection.get(id)?.monitor;
        return monitor === undefined ? [] : [{ type: monitor.type, id: String(monitor.id) }];
      }),
    has: (id) => projection.get(id) !== undefined,
    holdHost: () => hold(serial, ONE_BY_ONE),
    purgeHost: store.forgetHost,
    forgetHost(agentId) {
      for (const component of projection.components()) if (component.agentId === agentId) projection.put(withoutHost(component));
    },
    async start(incidents = NO_INCIDENTS) {
      impacts = incidents;
      await updater.load();
      isStarted = true;
      incidents.onChange(() => {
        if (isStarted) void updater.onIncidentsChanged();
      });
      timers = [
        // By itself: it must continue while the database is slow.
        scheduler.whenDue({ name: "time of components", run: async () => updater.countTime() }),
        scheduler.whenDue({ name: "components of the status page", run: updater.look }),
      ];
      ends.push(
        bus.subscribe("status components", updater.onEvent),
        ...timers.map(({ end }) => end),
        scheduler.every({ name: "days of components", everyMs: MINUTE_MS, run: updater.saveDays }),
        scheduler.every({ name: "retention of components' days", everyMs: HOUR_MS, firstAfterMs: 100_000, run: updater.prune }),
      );
    },
    async stop() {
      for (const end of ends.splice(0)) end();
      if (!isStarted) return;
      isStarted = false;
      try {
        await updater.saveDays();
      } catch (error) {
        // Without a database the last minute is not known; that it is gone is logged elsewhere.
        if (!isServiceError(error, "storage_unavailable")) throw error;
      }
    },
  };
}
