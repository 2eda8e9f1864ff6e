import { HOUR_MS } from "../../src/contract/time.ts";
import { createAlerting } from "../../src/alerting/index.ts";
import type { Event } from "../../src/events.ts";
import { createCertificates } from "../../src/monitoring/certificates/index.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createEndpoints } from "../../src/monitoring/endpoints/index.ts";
import { createHeartbeats } from "../../src/monitoring/heartbeats/index.ts";
import type { ServiceOfWorkload } from "../../src/monitoring/kubernetes/index.ts";
import { createResources, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import { createUpdateComparisons } from "../../src/monitoring/updates/index.ts";
import type { CertificateScan, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createOutbound } from "../../src/platform/outbound.ts";
import { type AssistantDependencies, createAssistant } from "../../src/publishing/assistant/index.ts";
import { createOverview } from "../../src/publishing/overview/index.ts";
import { createStatusPage } from "../../src/publishing/status/index.ts";
import type { LogLine } from "../../src/runtimes/runtime.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { scanOf } from "./certificates.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { createHeldScheduler } from "./held-scheduler.ts";
import { createTestServer } from "./http-server.ts";
import { testSecrets } from "./secrets.ts";
import { eachAlone } from "./log-batches.ts";

const BASE_URL = "https://watch.example";

export type AssistantWorld = Awaited<ReturnType<typeof openAssistantWorld>>;

/** All that an assistant asks, as the program puts it together, as after its start; periodic work is done when the test says so. */
export async function openAssistantWorld({
  database,
  clock,
  requireCapability = () => undefined,
}: {
  database: Database;
  clock: FakeClock;
  requireCapability?: (capability: string) => void;
}) {
  const bus = createBus<Event>(silentLog);
  const { scheduler, run } = createHeldScheduler();
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log: silentLog };
  const played = {
    /** What the log of a container says now. */
    log: async function* (): AsyncIterable<LogLine> {},
    scan: scanOf() as CertificateScan,
    found: [] as ReturnType<AssistantDependencies["updates"]["found"]>,
    /** Of workloads, by the external ids of their containers. */
    services: new Map<string, readonly ServiceOfWorkload[]>(),
    agents: [] as ReturnType<AssistantDependencies["agents"]>,
  };
  const containers = createContainers({ ...shared, logSource: { logs: () => eachAlone(played.log()) }, downAfterMs: 30_000 });
  const retention = { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS };
  const series = createSeriesStore({ ...shared, family: RESOURCE_FAMILY, retention });
  const resources = createResources({ ...shared, series, containers, requireCapability });
  const probes = { set() {}, checkNow: () => Promise.reject(new Error("nothing is checked out of turn")) };
  const endpoints = createEndpoints({ ...shared, containers, probes });
  const certificates = createCertificates({ ...shared, containers, endpoints, scan: async () => played.scan, random: () => 0 });
  const heartbeats = createHeartbeats({ ...shared, baseUrl: BASE_URL });
  const updateComparisons = createUpdateComparisons({ ...shared, containers, endpoints, series, alerts: true });
  const outbound = createOutbound({ allowPrivate: true, clock });
  const alerting = createAlerting({
    ...shared,
    baseUrl: BASE_URL,
    outbound,
    mailer: undefined,
    editions: { require: () => undefined, grants: () => true },
    announcers: [
      { source: "container", announce: containers.announce },
      { source: "endpoint", announce: endpoints.announce },
      { source: "heartbeat", announce: heartbeats.announce },
    ],
  });
  const statusPage = createStatusPage({
    ...shared,
    baseUrl: BASE_URL,
    monitoring: {
      containers,
      endpoints,
      heartbeats,
      certificates,
      hosts: { lastObservedAt: () => clock.now(), lastReportedAt: () => clock.now() },
      hostName: () => "Local",
    },
    alerting,
    mailer: undefined,
  });
  for (const part of [containers, series, resources, endpoints, certificates, heartbeats, updateComparisons, alerting, statusPage])
    await part.start();
  alerting.settle();
  const monitored = {
    containers,
    endpoints,
    heartbeats,
    certificates,
    updates: { found: (since: Date) => played.found.filter(({ at }) => at >= since) },
    updateComparisons,
    alerting,
    statusPage,
    agents: () => played.agents,
    clock,
  };
  const overview = createOverview({
    ...monitored,
    resources,
    hostName: () => null,
    servicesOf: ({ externalId }) => played.services.get(externalId) ?? [],
  });
  const routes = [alerting, overview, statusPage, endpoints, resources].flatMap((part) => part.routes);
  const server = createTestServer({ routes, clock });
  const assistant = createAssistant({ ...monitored, bus, resources, hostName: () => null });

  return {
    ...declaredRoutes(server, routes),
    assistant,
    overview,
    played,
    database,
    containers,
    endpoints,
    heartbeats,
    certificates,
    alerting,
    async see(agentId: string | null, ...observations: Observation[]): Promise<void> {
      for (const part of [containers, resources, endpoints, certificates, updateComparisons]) await part.observe(agentId, observations);
    },
    run,
    async stop(): Promise<void> {
      await server.stop();
      for (const part of [statusPage, alerting, updateComparisons, certificates, resources, series]) await part.stop();
      outbound.stop();
    },
  };
}
