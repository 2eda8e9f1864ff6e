import { join } from "node:path";
import { type Certificates, createCertificates } from "../monitoring/certificates/index.ts";
import type { Probes } from "../collector/probes/index.ts";
import { type Containers, createContainers, type LogSource } from "../monitoring/containers/index.ts";
import { createEndpoints, type Endpoints } from "../monitoring/endpoints/index.ts";
import { createHeartbeats, type Heartbeats } from "../monitoring/heartbeats/index.ts";
import { createLogs, createLogStore, type Logs, type LogStore } from "../monitoring/logs/index.ts";
import { createResources, RESOURCE_FAMILY, type Resources } from "../monitoring/resources/index.ts";
import { createSecurity, type Security } from "../monitoring/security/index.ts";
import type { UpdateComparisons, Updates } from "../monitoring/updates/index.ts";
import { type Budget, createBudget } from "../storage/budget/index.ts";
import { createSeriesStore, type SeriesStore } from "../storage/series/index.ts";
import type { Ground } from "./ground.ts";
import { type Clusters, createClusters } from "./clusters.ts";
import { openChecks } from "./open-checks.ts";
import { openUpdates } from "./open-updates.ts";
import type { RemoteHosts } from "./remote-hosts.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Runtime } from "../runtimes/runtime.ts";

/** What is known of the hosts that are watched. */
export interface Monitoring extends Watched, Derived {}

export function openMonitoring(ground: Ground, remoteHosts: RemoteHosts): Monitoring {
  const watched = openWatched(ground, remoteHosts);
  const derived = openDerived(ground, watched);
  ground.lifecycle.add("remote hosts", remoteHosts.part);
  return { ...watched, ...derived };
}

/** What observations, checks and pings show. */
interface Watched {
  containers: Containers;
  logs: Logs;
  series: SeriesStore;
  budget: Budget;
  resources: Resources;
  probes: Probes;
  endpoints: Endpoints;
  certificates: Certificates;
  heartbeats: Heartbeats;
  clusters: Clusters;
}

function openWatched(ground: Ground, remoteHosts: RemoteHosts): Watched {
  const { config, runtime, outside, lifecycle, part, intake: sink, trust, activeAlerts } = ground;
  const { database, secrets, bus, clock, scheduler, editions } = ground;
  const shared = { database, bus, clock, scheduler };

  const logSource = containerLogs(runtime, remoteHosts);
  const store = openLogStore(ground);
  const containers = createContainers({
    ...{ ...shared, log: part("containers"), logSource, storedLogs: store, downAfterMs: config.containerDownAfter },
    clockOffsetMs: remoteHosts.agents.clockOffsetOf,
  });
  const logs = createLogs({ containers, logSource, store, clock, scheduler, log: part("logs") });
  const { series, budget } = openSeries(ground);
  const agents = { local: runtime !== undefined, ids: remoteHosts.agents.ids, labelOf: remoteHosts.agents.labelOf };
  const resources = createResources({ ...shared, series, containers, requireCapability: editions.require, agents });
  const listeners = () => [...ground.httpAddresses, ...remoteHosts.addresses()];
  const { probes, scan } = (outside?.openChecks ?? openChecks)({ sink, trust, listeners, runtime, clock, log: part("probes") });
  const isHostLost = (id: string | null): boolean => id !== null && remoteHosts.agents.isDisconnected(id);
  const endpoints = createEndpoints({ ...shared, secrets, containers, probes, isHostLost, log: part("endpoints") });
  const certificates = createCertificates({ ...shared, containers, endpoints, scan, log: part("certificates") });
  const heartbeats = createHeartbeats({ ...shared, baseUrl: config.baseUrl });
  const clusters = createClusters({ ...shared, containers, endpoints, certificates, sink, activeAlerts });

  lifecycle.add("containers", { start: () => containers.start(clusters.swarm) });
  lifecycle.add("logs", logs);
  lifecycle.add("series", series);
  lifecycle.add("budget", budget);
  lifecycle.add("resources", resources);
  lifecycle.add("endpoints", endpoints);
  lifecycle.add("certificates", certificates);
  lifecycle.add("heartbeats", heartbeats);
  lifecycle.add("swarm", clusters.swarm);
  lifecycle.add("kubernetes", clusters.kubernetes);
  return { containers, logs, series, budget, resources, probes, endpoints, certificates, heartbeats, clusters };
}

/** What hosts and containers used over time, and the bytes that all of it may take. */
function openSeries({ config, database, clock, scheduler, part }: Ground): Pick<Watched, "series" | "budget"> {
  const series = createSeriesStore({
    database,
    family: RESOURCE_FAMILY,
    clock,
    scheduler,
    log: part("series"),
    retention: { detailMs: config.retentionDetail, minutesMs: config.retentionMinutes, hoursMs: config.retentionHours },
  });
  const budget = createBudget({ database, series, limitBytes: config.maxDbBytes, clock, scheduler, log: part("storage") });
  return { series, budget };
}

/** What is concluded from that. */
interface Derived {
  updates: Updates;
  updateComparisons: UpdateComparisons;
  security: Security;
}

function openDerived(ground: Ground, { containers, endpoints, series, clusters }: Watched): Derived {
  const { config, lifecycle, part, database, bus, clock, scheduler, editions } = ground;
  const { updates, updateComparisons } = openUpdates(
    {
      ...{ ...ground, containers, endpoints, series, log: part("updates") },
      workloadOf: clusters.kubernetes.workloadOf,
      servicePortsOf: clusters.servicePortsOf,
    },
    lifecycle,
  );
  const security = createSecurity({
    ...{ database, containers, bus, clock, scheduler, log: part("security") },
    postureThreshold: config.securityPostureThreshold,
    grants: editions.grants,
    updatesOf: updates.severitiesOf,
    newerImageOf: updates.newerImageOf,
    ecosystemOf: ({ id }) => updates.ecosystemOf(id),
    nodePortsOf: clusters.swarm.nodePortsOf,
    exposureOf: clusters.kubernetes.exposureOf,
  });
  return { updates, updateComparisons, security };
}

/** The logs that are stored here; undefined: none are. */
function openLogStore({ config, clock, part }: Ground): LogStore | undefined {
  const { logRetention: retentionMs, logBytes: maxBytes } = config;
  if (retentionMs === null) return undefined;
  return createLogStore({ folder: join(config.dataDir, "logs"), retentionMs, maxBytes, clock, log: part("logs") });
}

/** Logs of containers: of this host from its runtime, of others through their agents. */
function containerLogs(runtime: Pick<Runtime, "logs"> | undefined, remote: Pick<RemoteHosts, "logs">): LogSource {
  return {
    logs(agentId, externalId, options) {
      if (agentId !== null) return remote.logs(agentId, { externalId, ...options });
      if (runtime === undefined) throw new ServiceError("runtime_unavailable", "This server does not watch its own host.");
      return runtime.logs(externalId, options);
    },
  };
}
