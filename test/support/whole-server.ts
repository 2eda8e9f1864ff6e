import { type Alerting, createAlerting } from "../../src/alerting/index.ts";
import { securityAlertsOf } from "../../src/app/security-alerts.ts";
import type { Event } from "../../src/events.ts";
import { createCertificates } from "../../src/monitoring/certificates/index.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createEndpoints } from "../../src/monitoring/endpoints/index.ts";
import { createHeartbeats } from "../../src/monitoring/heartbeats/index.ts";
import { createHostRemoval, type HostData } from "../../src/monitoring/hosts/index.ts";
import { createIntake } from "../../src/monitoring/intake.ts";
import { createResources, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import { createSecurity } from "../../src/monitoring/security/index.ts";
import { createAftermath, createUpdates } from "../../src/monitoring/updates/index.ts";
import { createBus } from "../../src/platform/bus.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createOutbound } from "../../src/platform/outbound.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import { createStatusPage } from "../../src/publishing/status/index.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { scanOf } from "./certificates.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createTestServer } from "./http-server.ts";
import { createMemoryRegistries, memoryTools } from "./updates.ts";

const HOUR_MS = 3_600_000;

export interface WholeServerParts {
  database: Database;
  clock: FakeClock;
  /** Labels of agents, by their ids. */
  labels: ReadonlyMap<string, string>;
  /** What agents say of themselves now, to alerting. */
  announceAgents?: () => readonly Event[];
}

/** All that a server keeps of hosts, over a database, as after a start: everything granted, hosts heard through the intake, nothing probed or scanned. */
export async function openWholeServer({ database, clock, labels, announceAgents = () => [] }: WholeServerParts) {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, bus, clock, scheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} }, downAfterMs: 120_000 });
  const retention = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };
  const series = createSeriesStore({ ...shared, family: RESOURCE_FAMILY, retention });
  const agents = { ids: () => [...labels.keys()], labelOf: (id: string) => labels.get(id), local: true };
  const resources = createResources({ ...shared, series, containers, requireCapability() {}, agents });
  const probes = { set() {}, checkNow: () => Promise.reject(new Error("no probes")) };
  const endpoints = createEndpoints({ ...shared, containers, probes });
  const certificates = createCertificates({ ...shared, containers, endpoints, scan: async () => scanOf() });
  const heartbeats = createHeartbeats({ ...shared, baseUrl: "https://watch.example" });
  const aftermath = createAftermath({ ...shared, containers, endpoints, series, alerts: true });
  const updates = createUpdates({
    ...shared,
    containers,
    intervalMs: null,
    grants: () => true,
    tools: async () => memoryTools(createMemoryRegistries(), clock),
    aftermath,
    restarts24h: async () => 0,
  });
  const security = createSecurity({ ...shared, containers, alerts: securityAlertsOf(() => alerting), grants: () => true });
  // Receivers answer in real time.
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
  const alerting: Alerting = createAlerting({
    ...shared,
    baseUrl: "https://watch.example",
    outbound,
    mailer: undefined,
    requireCapability: () => undefined,
    announcers: [
      { source: "agent", announce: announceAgents },
      { source: "container", announce: containers.announce },
      { source: "resource", announce: resources.announce },
      { source: "endpoint", announce: endpoints.announce },
      { source: "security", announce: security.announce },
    ],
    coverOf: (components) => statusPage.coverOf(components),
    hostName: (agentId) => (agentId === null ? null : (labels.get(agentId) ?? null)),
  });
  const monitoring = { containers, endpoints, heartbeats, certificates };
  const statusPage = createStatusPage({ ...shared, baseUrl: "https://watch.example", monitoring, alerting, mailer: undefined });

  const inOrder = [containers, series, resources, endpoints, certificates, heartbeats, aftermath, updates, security, alerting, statusPage];
  for (const part of inOrder) await part.start();
  alerting.settle();
  const observers = [containers, resources, endpoints, certificates, aftermath, security];
  const intake = createIntake({ observers, recorders: [containers, resources, endpoints], clock, log: silentLog });
  const features: Record<string, HostData> = {
    ...{ security, updates, aftermath, statusPage, alerting },
    ...{ resources, certificates, endpoints, heartbeats, containers },
  };
  const routes = [updates, security, alerting, statusPage, containers].flatMap((part) => part.routes);
  const server = createTestServer({ routes });

  return {
    bus,
    events,
    containers,
    security,
    resources,
    alerting,
    /** In the order in which their rows go. */
    features,
    removal: createHostRemoval({ intake, features: Object.values(features) }),
    observe: intake.observe,
    ask: declaredRoutes(server, routes).ask,
    async stop() {
      await intake.stop();
      for (const part of [statusPage, alerting, security, updates, aftermath, certificates, resources, scheduler, series])
        await part.stop();
      outbound.stop();
      await server.stop();
    },
  };
}

export type WholeServer = Awaited<ReturnType<typeof openWholeServer>>;
