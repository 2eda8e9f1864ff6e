import type { Trust } from "../collector/tls/trust.ts";
import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import { createImages } from "../images/index.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import type { Endpoints } from "../monitoring/endpoints/index.ts";
import {
  type UpdateComparisons,
  createUpdateComparisons,
  createUpdates,
  type ServicePortsOf,
  type Updates,
  type WorkloadOf,
} from "../monitoring/updates/index.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { createOutbound } from "../platform/outbound.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { SeriesStore } from "../storage/series/index.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Outside } from "./outside.ts";

export interface UpdatesParts {
  config: Config;
  database: Database;
  containers: Containers;
  endpoints: Endpoints;
  series: SeriesStore;
  editions: Editions;
  trust: Trust;
  outside?: Outside;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  workloadOf: WorkloadOf;
  servicePortsOf: ServicePortsOf;
}

/** Newer images, with their outbound connections, registered with the lifecycle. */
export function openUpdates(parts: UpdatesParts, lifecycle: Lifecycle): { updates: Updates; updateComparisons: UpdateComparisons } {
  const { config, database, containers, endpoints, series, editions, trust, outside, bus, clock, scheduler, log } = parts;
  // SERVICE_ALLOW_PRIVATE_WEBHOOKS is for channels and webhooks: names of images and forges are strangers' words.
  const outbound = outside?.outbound ?? createOutbound({ allowPrivate: false, privateHosts: config.updatePrivateHosts, clock, trust });
  lifecycle.add("outbound of updates", outbound);
  const images =
    outside?.images ??
    createImages({
      outbound,
      privateHosts: config.updatePrivateHosts,
      registryAuthFile: config.registryAuthFile,
      home: config.docker.home,
      osvUrl: config.osvUrl,
      osvDir: config.osvDir,
      changelogToken: config.changelogToken?.reveal(),
      database,
      clock,
      scheduler,
      log,
    });
  lifecycle.add("images", images);
  const updateComparisons = createUpdateComparisons({
    database,
    containers,
    endpoints,
    series,
    bus,
    clock,
    scheduler,
    log,
    alerts: config.updateRegressionAlerts,
  });
  lifecycle.add("comparisons after updates", updateComparisons);
  const updates = createUpdates({
    database,
    containers,
    bus,
    clock,
    scheduler,
    log,
    intervalMs: config.updateInterval,
    grants: editions.grants,
    imageReaders: images.readers,
    updateComparisons,
    workloadOf: parts.workloadOf,
    servicePortsOf: parts.servicePortsOf,
  });
  lifecycle.add("updates", updates);
  return { updates, updateComparisons };
}
