import { HOUR_MS } from "../../src/contract/time.ts";
import { type ActiveAlerts, type AlertingDependencies, createAlerting } from "../../src/alerting/index.ts";
import { lostBefore, securityAlertsOf } from "../../src/app/open-publishing.ts";
import { createObservedHosts } from "../../src/app/observed-hosts.ts";
import { createClusters } from "../../src/app/clusters.ts";
import { createRuntimeWatch } from "../../src/app/runtime-watch.ts";
import { settleAfterInventory } from "../../src/app/settle-after-inventory.ts";
import type { Event } from "../../src/events.ts";
import { createCertificates, type ScanCertificate } from "../../src/monitoring/certificates/index.ts";
import { createContainers, runs } from "../../src/monitoring/containers/index.ts";
import { createEndpoints } from "../../src/monitoring/endpoints/index.ts";
import { createHeartbeats } from "../../src/monitoring/heartbeats/index.ts";
import { createHostRemoval, type HostData } from "../../src/monitoring/hosts/index.ts";
import { createIntake } from "../../src/monitoring/intake.ts";
import { createResources, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import { createSecurity } from "../../src/monitoring/security/index.ts";
import { createUpdateComparisons, createUpdates } from "../../src/monitoring/updates/index.ts";
import type { Observation } from "../../src/observations.ts";
import { type Bus, createBus } from "../../src/platform/bus.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createOutbound } from "../../src/platform/outbound.ts";
import { createScheduler, type Scheduler } from "../../src/platform/scheduler.ts";
import { createStatusPage } from "../../src/publishing/status/index.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { scanOf } from "./certificates.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createTestServer } from "./http-server.ts";
import { testSecrets } from "./secrets.ts";
import { until } from "./until.ts";
import { createMemoryRegistries, type MemoryRegistries, memoryReaders } from "./updates.ts";

export interface WholeServerParts {
  database: Database;
  clock: FakeClock;
  /** Labels of agents, by their ids. */
  labels: ReadonlyMap<string, string>;
  /** What agents say of themselves now, to alerting. */
  announceAgents?: () => readonly Event[];
  /** Whether a runtime of the local host is watched. */
  watchesLocal?: boolean;
  /** By default its own. */
  bus?: Bus<Event>;
  scheduler?: Scheduler;
  /** By default every peer shows a good certificate. */
  scan?: ScanCertificate;
  registries?: MemoryRegistries;
  downAfterMs?: number | null;
  /** As in the program every source of alerts says what is wrong, and alerts wait for the first inventory. */
  isComplete?: boolean;
}

/** All that a server keeps of hosts, over a database, as after a start: everything granted, hosts watched through the intake, nothing probed or scanned. */
export async function openWholeServer({
  database,
  clock,
  labels,
  announceAgents = () => [],
  watchesLocal = false,
  bus = createBus<Event>(silentLog),
  scheduler = createScheduler(clock, silentLog),
  scan = async () => scanOf(),
  registries = createMemoryRegistries(),
  downAfterMs = 120_000,
  isComplete = false,
}: WholeServerParts) {
  const events: Event[] = [];
  bus.subscribe("test", (event) => void events.push(event));
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log: silentLog };
  const activeAlerts: ActiveAlerts = new Map();
  const intake = createIntake({ clock, log: silentLog });
  const containers = createContainers({ ...shared, logSource: { async *logs() {} }, downAfterMs });
  const retention = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };
  const series = createSeriesStore({ ...shared, family: RESOURCE_FAMILY, retention });
  const agents = { ids: () => [...labels.keys()], labelOf: (id: string) => labels.get(id), local: true };
  const resources = createResources({ ...shared, series, containers, requireCapability() {}, agents });
  const probes = { set() {}, checkNow: () => Promise.reject(new Error("no probes")) };
  const endpoints = createEndpoints({ ...shared, containers, probes });
  const certificates = createCertificates({ ...shared, containers, endpoints, scan });
  const heartbeats = createHeartbeats({ ...shared, baseUrl: "https://watch.example" });
  const updateComparisons = createUpdateComparisons({ ...shared, containers, endpoints, series, alerts: true });
  const clusters = createClusters({ ...shared, containers, endpoints, certificates, sink: intake, activeAlerts });
  const { swarm, kubernetes } = clusters;
  const updates = createUpdates({
    ...shared,
    containers,
    intervalMs: null,
    grants: () => true,
    imageReaders: async () => memoryReaders(registries, clock),
    updateComparisons,
    workloadOf: kubernetes.workloadOf,
    servicePortsOf: clusters.servicePortsOf,
  });
  const security = createSecurity({
    ...shared,
    containers,
    nodePortsOf: swarm.nodePortsOf,
    exposureOf: kubernetes.exposureOf,
    grants: () => true,
  });
  const runtimeWatch = createRuntimeWatch({
    bus,
    clock,
    present: containers.present,
    lostBefore: (agentId) => lostBefore(activeAlerts, agentId),
  });
  // Receivers answer in real time.
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
  const others: AlertingDependencies["announcers"] = [
    { source: "certificate", announce: certificates.announce },
    { source: "heartbeat", announce: heartbeats.announce },
    { source: "update", announce: () => [...updates.announce(), ...updateComparisons.announce()] },
  ];
  const alerting = createAlerting({
    ...shared,
    baseUrl: "https://watch.example",
    outbound,
    mailer: undefined,
    editions: { require: () => undefined, grants: () => true },
    announcers: [
      { source: "agent", announce: () => [...runtimeWatch.announce(), ...announceAgents()] },
      { source: "container", announce: containers.announce },
      { source: "resource", announce: resources.announce },
      { source: "endpoint", announce: endpoints.announce },
      { source: "security", announce: security.announce },
      ...clusters.announcers,
      ...(isComplete ? others : []),
    ],
    activeAlerts,
    hostName: (agentId) => (agentId === null ? null : (labels.get(agentId) ?? null)),
    watches: {
      localRuntime: watchesLocal,
      runs: (id) => runs(containers.present.get(id)),
      isDownOver: containers.isDownOver,
      isAlerted: (id, event) => (event === "regression" ? updateComparisons.isAlerted(id) : containers.isAlerted(id, event)),
      hasStoppedWithRuntime: (id) => runtimeWatch.hasStopped(containers.present.get(id)),
      mayReturn: (id) => containers.present.get(id)?.archivedAt instanceof Date,
      isStarting: (id) => containers.present.get(id)?.health === "starting",
      updateStatus: updates.statusOf,
      ...clusters.watches,
    },
  });
  const observedHosts = createObservedHosts(clock);
  const hostName = (agentId: string | null): string | undefined => (agentId === null ? "Local" : labels.get(agentId));
  const monitoring = { containers, endpoints, heartbeats, certificates, hosts: observedHosts, hostName };
  const statusPage = createStatusPage({ ...shared, baseUrl: "https://watch.example", monitoring, alerting, mailer: undefined });

  await containers.start(swarm);
  for (const part of [series, resources, endpoints, certificates, heartbeats, updateComparisons, updates]) await part.start();
  await security.start(securityAlertsOf(alerting));
  await alerting.start(statusPage);
  await statusPage.start();
  swarm.start();
  kubernetes.start();
  runtimeWatch.start();
  if (!isComplete) alerting.settle();
  const observers = [
    ...[containers, swarm, kubernetes, resources, endpoints, certificates, updateComparisons, security, observedHosts],
    ...[runtimeWatch, settleAfterInventory(alerting)],
  ];
  intake.start({ observers, recorders: [containers, resources, endpoints], complete: swarm.complete });
  const features: Record<string, HostData> = {
    ...{ security, updates, updateComparisons, statusPage, alerting },
    ...{ swarm, kubernetes, resources, certificates, endpoints, heartbeats, containers },
  };
  const removal = createHostRemoval(intake);
  removal.start(Object.values(features));
  const routes = [updates, security, alerting, statusPage, containers, kubernetes].flatMap((part) => part.routes);
  const server = createTestServer({ routes });
  let stopping: string | undefined;

  return {
    bus,
    events,
    containers,
    endpoints,
    heartbeats,
    certificates,
    updates,
    updateComparisons,
    runtimeWatch,
    security,
    swarm,
    kubernetes,
    resources,
    alerting,
    statusPage,
    intake,
    /** In the order in which their rows go. */
    features,
    removal,
    observe: (agentId: string | null, observation: Observation) => intake.observe(agentId, observation),
    /** Gives an observation to the features; resolves once they have taken it in. */
    async see(agentId: string | null, observation: Observation): Promise<void> {
      intake.observe(agentId, observation);
      await until(() => intake.queued() === 0);
    },
    ...declaredRoutes(server, routes),
    /** The part that is waited for while the server stops. */
    stopping: () => stopping,
    async stop() {
      const parts = {
        ...{ intake, runtimeWatch, statusPage, alerting, security, updates, updateComparisons, certificates, resources },
        ...{ scheduler, series },
      };
      for (const [name, part] of Object.entries(parts)) {
        stopping = name;
        await part.stop();
      }
      outbound.stop();
      await server.stop();
      stopping = undefined;
    },
  };
}

export type WholeServer = Awaited<ReturnType<typeof openWholeServer>>;
