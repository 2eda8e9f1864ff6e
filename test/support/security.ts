import type { Event, EventName } from "../../src/events.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createSecurity, type Security, type SecurityAlert, type SecurityDependencies } from "../../src/monitoring/security/index.ts";
import type { ContainerSighting, Observation, Port } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { sighting } from "./sightings.ts";

/** A published port; `5432` is `0.0.0.0:5432->5432/tcp`. */
export function port(containerPort: number, { hostIp = "0.0.0.0", hostPort = containerPort, protocol = "tcp" }: Partial<Port> = {}): Port {
  return { containerPort, protocol, hostIp, hostPort };
}

/** Security over a database, with a clock that the test turns, and alerts that it plays. */
export interface WatchedSecurity {
  security: Security;
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** The active alerts; those that are acknowledged are marked here. */
  alerts: SecurityAlert[];
  acknowledgedAlerts: { id: number; by: string; note: string }[];
  see(agentId: string | null, ...observations: Observation[]): Promise<void>;
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  idOf(externalId: string): number;
  stop(): Promise<void>;
}

/** As after a start of the program, on the database as it is. */
export async function startSecurity({
  database,
  clock,
  ...seams
}: {
  database: Database;
  clock: FakeClock;
} & Pick<SecurityDependencies, "updatesOf" | "newerImageOf" | "ecosystemOf" | "postureThreshold" | "grants">): Promise<WatchedSecurity> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, bus, clock, scheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} } });
  const alerts: SecurityAlert[] = [];
  const acknowledgedAlerts: { id: number; by: string; note: string }[] = [];
  const security = createSecurity({ ...shared, containers, ...seams });
  await containers.start();
  await security.start({
    active: () => alerts,
    async acknowledge(id, { by, note }) {
      acknowledgedAlerts.push({ id, by, note });
      for (const [index, alert] of alerts.entries()) if (alert.id === id) alerts[index] = { ...alert, acknowledged: true };
    },
  });

  async function see(agentId: string | null, ...observations: Observation[]): Promise<void> {
    for (const each of [containers, security]) await each.observe(agentId, observations);
  }

  return {
    security,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    alerts,
    acknowledgedAlerts,
    see,
    show: (...each) => see(null, { kind: "container.inventory", observedAt: clock.now(), containers: each.map(sighting) }),
    idOf(externalId) {
      const container = containers.present.find(null, externalId);
      if (container === undefined) throw new Error(`there is no container ${externalId}`);
      return container.id;
    },
    async stop() {
      await security.stop();
      await scheduler.stop();
    },
  };
}
