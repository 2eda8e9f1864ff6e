import { HOUR_MS } from "../../src/contract/time.ts";
import type { Event } from "../../src/events.ts";
import { createCertificates } from "../../src/monitoring/certificates/index.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createEndpoints, type Probes } from "../../src/monitoring/endpoints/index.ts";
import { createHeartbeats } from "../../src/monitoring/heartbeats/index.ts";
import { createHostRemoval } from "../../src/monitoring/hosts/index.ts";
import { createIntake } from "../../src/monitoring/intake.ts";
import { createResources, type KnownAgents, RESOURCE_FAMILY } from "../../src/monitoring/resources/index.ts";
import type { CertificateScan, CertificateTarget } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createSeriesStore } from "../../src/storage/series/index.ts";
import { scanOf } from "./certificates.ts";
import type { FakeClock } from "./fake-clock.ts";
import { testSecrets } from "./secrets.ts";

/** Everything that keeps rows of hosts, over a database: as after a start of the program, with the intake before it. */
export async function openHosts({ database, clock, agents }: { database: Database; clock: FakeClock; agents?: KnownAgents }) {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} } });
  const series = createSeriesStore({
    ...shared,
    family: RESOURCE_FAMILY,
    retention: { detailMs: 48 * HOUR_MS, minutesMs: 720 * HOUR_MS, hoursMs: 9600 * HOUR_MS },
  });
  const resources = createResources({ ...shared, series, containers, requireCapability() {}, agents });
  /** What the server itself was to look at. */
  const looked = { probed: new Set<string>(), scanned: new Set<string>() };
  const probes: Probes = {
    set(checks) {
      for (const key of checks.keys()) looked.probed.add(key);
    },
    checkNow: () => Promise.reject(new Error("no probes")),
  };
  const scan = async ({ domain }: CertificateTarget): Promise<CertificateScan> => {
    looked.scanned.add(domain);
    return scanOf();
  };
  const endpoints = createEndpoints({ ...shared, containers, probes });
  const certificates = createCertificates({ ...shared, containers, endpoints, scan });
  const heartbeats = createHeartbeats({ ...shared, baseUrl: "https://watch.example" });
  for (const part of [containers, series, resources, endpoints, certificates, heartbeats]) await part.start();
  const intake = createIntake({ clock, log: silentLog });
  intake.start({ observers: [containers, resources, endpoints, certificates], recorders: [containers, resources, endpoints] });
  const removal = createHostRemoval(intake);
  removal.start([resources, certificates, endpoints, heartbeats, containers]);
  return {
    events,
    looked,
    intake,
    containers,
    resources,
    endpoints,
    certificates,
    heartbeats,
    series,
    removal,
    async stop() {
      await intake.stop();
      await scheduler.stop();
      await certificates.stop();
      await resources.stop();
      await series.stop();
    },
  };
}

export type OpenedHosts = Awaited<ReturnType<typeof openHosts>>;
