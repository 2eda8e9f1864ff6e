import type { Kysely } from "kysely";
import { alertRecord } from "../../src/alerting/alerts/register.ts";
import type { Alert } from "../../src/alerting/index.ts";
import type { Event } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import type { IncidentRecord } from "../../src/publishing/status/incidents/answers.ts";
import { createIncidents } from "../../src/publishing/status/incidents/index.ts";
import type { IncidentNotice } from "../../src/publishing/status/seams.ts";
import type { Component, Monitor } from "../../src/publishing/status/vocabulary.ts";
import type { Database } from "../../src/storage/database.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";
import { createMemoryLog, createTestServer } from "./http-server.ts";
import { anAlert } from "./routing.ts";

export interface TestComponent extends Component {
  monitor: Monitor;
  autoIncident: boolean;
}

/** A visible component of container `id` that opens incidents by itself. */
export function aComponent(id: number, name: string, change: Partial<TestComponent> = {}): TestComponent {
  return {
    id,
    groupId: null,
    name,
    description: "",
    visible: true,
    status: "operational",
    observed: true,
    healthy: true,
    since: new Date("2026-03-01T00:00:00Z"),
    trackedSince: new Date("2026-02-01T00:00:00Z"),
    knownMs: 0,
    days: [],
    uptime: null,
    monitor: { type: "container", id },
    autoIncident: true,
    ...change,
  };
}

/** An alert that says that container 1 is down, with much that nobody outside must read. */
export function anOutage(id: number, change: Partial<Alert> = {}): Alert {
  const secrets = { entityName: "secret-web-7", message: "secret-web-7 is down.", cause: "exit 137", labels: { host: "secret" } };
  return anAlert({ id, event: "down", severity: "critical", entity: { type: "container", id: "1" }, ...secrets, ...change });
}

/** What stays when the program has stopped: its components, its alerts, and the mails that were written. */
export interface World {
  components: TestComponent[];
  alerts: Alert[];
  notices: IncidentNotice[];
  settled: boolean;
  /** The next notice cannot be written. */
  breakNotices: boolean;
}

export function aWorld(components: TestComponent[]): World {
  return { components, alerts: [], notices: [], settled: true, breakNotices: false };
}

/** Incidents as after a start of the program, in a world that the test holds; what happens by the minute happens when it says so. */
export async function openIncidents(database: Database, clock: FakeClock, world: World) {
  const log = createMemoryLog();
  const bus = createBus<Event>(log);
  const events: Event[] = [];
  const { scheduler, run } = createHeldScheduler();
  let changes = 0;
  let wakes = 0;
  const incidents = createIncidents({
    database,
    bus,
    clock,
    scheduler,
    log,
    components: {
      find: (id) => world.components.find((each) => each.id === id),
      automaticFor: ({ type, id }) =>
        world.components.filter(({ monitor, autoIncident }) => autoIncident && monitor.type === type && monitor.id === id),
    },
    notices: {
      async put<Schema>(_tx: Kysely<Schema>, notice: IncidentNotice) {
        if (world.breakNotices) throw new Error("no room for a notice");
        world.notices.push(notice);
      },
      wake: () => void (wakes += 1),
    },
    activeAlerts: () => world.alerts,
    isSettled: () => world.settled,
  });
  bus.subscribe("test", (event) => void events.push(event));
  incidents.onChange(() => void (changes += 1));
  await incidents.start();
  const server = createTestServer({ routes: incidents.routes });
  const routes = declaredRoutes(server, incidents.routes);

  function publish(type: "alert.fired" | "alert.suppressed" | "alert.resolved", alert: Alert): void {
    const { details: _, ...record } = alertRecord(alert, "http://host");
    const data = { ...record, name: alert.entityName, timestamp: clock.now().toISOString() };
    if (type === "alert.fired") bus.publish({ type, data: { ...data, previous_severity: null } });
    else if (type === "alert.suppressed") bus.publish({ type, data: { ...data, reason: "quiet" } });
    else bus.publish({ type, data });
  }

  /** Until what events asked for is done: a change of a person waits its turn behind it. */
  async function settle(): Promise<void> {
    await run("incidents");
  }

  return {
    incidents,
    routes,
    log,
    events,
    publish,
    settle,
    published: () => events.map(({ type }) => type).filter((type) => !type.startsWith("alert.")),
    changes: () => changes,
    wakes: () => wakes,
    prune: () => run("incident retention"),
    /** It is wrong, and that is published. */
    async fire(alert: Alert): Promise<void> {
      world.alerts = [...world.alerts.filter(({ id }) => id !== alert.id), alert];
      publish(alert.suppressedBy === null ? "alert.fired" : "alert.suppressed", alert);
      await settle();
    },
    async clear(id: number): Promise<void> {
      const alert = world.alerts.find((each) => each.id === id);
      world.alerts = world.alerts.filter((each) => each !== alert);
      if (alert !== undefined) publish("alert.resolved", { ...alert, status: "resolved", resolvedAt: clock.now(), resolvedBy: "auto" });
      await settle();
    },
    async listed(query: Record<string, unknown> = {}): Promise<IncidentRecord[]> {
      const { incidents: records } = await routes.check("GET", "/api/v1/status/incidents", query);
      return records as IncidentRecord[];
    },
    async stop(): Promise<void> {
      await incidents.stop();
      await server.stop();
    },
  };
}

export type OpenedIncidents = Awaited<ReturnType<typeof openIncidents>>;
