import { type Alerting, createAlerting } from "../alerting/index.ts";
import { createContainerCollector } from "../collector/containers.ts";
import { createHostReader } from "../collector/host.ts";
import { createProbes } from "../collector/probes/index.ts";
import { createResourceCollector } from "../collector/resources.ts";
import { createScanner } from "../collector/tls/scan.ts";
import type { Trust } from "../collector/tls/trust.ts";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import type { SmtpConfig } from "../config/smtp.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import type { Route } from "../http/route.ts";
import { createHttpServer } from "../http/server.ts";
import { createCertificates } from "../monitoring/certificates/index.ts";
import { createContainers } from "../monitoring/containers/index.ts";
import { createEndpoints } from "../monitoring/endpoints/index.ts";
import { createHeartbeats } from "../monitoring/heartbeats/index.ts";
import { createIntake, type Observer } from "../monitoring/intake.ts";
import { createResources, RESOURCE_FAMILY } from "../monitoring/resources/index.ts";
import { createSecurity } from "../monitoring/security/index.ts";
import { createBus } from "../platform/bus.ts";
import { createOutbound } from "../platform/outbound.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { createMailer, type SmtpSettings } from "../platform/mailer.ts";
import { createScheduler } from "../platform/scheduler.ts";
import { createLive } from "../publishing/live/index.ts";
import { createStatusPage } from "../publishing/status/index.ts";
import { createWebhooks } from "../publishing/webhooks/index.ts";
import { findHostProc } from "../runtimes/host-proc.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { createSeriesStore } from "../storage/series/index.ts";
import { openDatabase } from "./database.ts";
import { createLifecycle } from "./lifecycle.ts";
import { metaRoutes } from "./meta/routes.ts";
import { localLogs } from "./local-logs.ts";
import { openEditions } from "./open-editions.ts";
import { openTrust } from "./open-trust.ts";
import { announceRuntime, runtimeStatusRecord } from "./runtime-status.ts";
import { createRuntimeWatch } from "./runtime-watch.ts";
import { securityAlertsOf } from "./security-alerts.ts";
import { storageUseOf } from "./storage-use.ts";

export interface ServerDependencies {
  config: Config;
  build: BuildInfo;
  /** The runtime of this host. */
  runtime: Runtime;
  /** The folder of the built web app. */
  webRoot: string;
  clock: Clock;
  log: Log;
}

export interface Server {
  /** Starts everything; answers where it listens. Throws a StartError. */
  start(): Promise<{ url: string }>;
  /** Stops everything in reverse; answers what did not stop cleanly. */
  stop(): Promise<string[]>;
  editions: Editions;
  /** All routes that are answered. */
  routes: readonly Route[];
}

/** The whole program in embedded mode: see -> know -> tell, in the order in which it is built. */
export function createServer({ config, build, runtime, webRoot, clock, log }: ServerDependencies): Server {
  const lifecycle = createLifecycle({ clock, log, stopWithinMs: config.shutdownSeconds * 1000 });
  const part = (component: string): Log => log.child({ component });

  const database = openDatabase(config, { clock, log: part("storage") });
  lifecycle.add("database", database);
  const bus = createBus<Event>(part("bus"));
  const scheduler = createScheduler(clock, part("scheduler"));
  lifecycle.add("scheduler", scheduler);
  const editions = openEditions(config, build, { clock, log: part("editions") });

  const containers = createContainers({
    database,
    bus,
    clock,
    scheduler,
    logSource: localLogs(runtime),
    downAfterMs: config.containerDownAfter,
  });
  lifecycle.add("containers", containers);
  const series = createSeriesStore({
    database,
    family: RESOURCE_FAMILY,
    clock,
    scheduler,
    log: part("series"),
    retention: { detailMs: config.retentionDetail, minutesMs: config.retentionMinutes, hoursMs: config.retentionHours },
    maxBytes: config.maxDbBytes,
  });
  lifecycle.add("series", series);
  const resources = createResources({ database, series, containers, bus, clock, scheduler, requireCapability: editions.require });
  lifecycle.add("resources", resources);
  const trust = openTrust(config);
  const probes = createProbes({
    sink: { observe: (...seen) => intake.observe(...seen) },
    agentId: null,
    clock,
    log: part("probes"),
    trust,
  });
  const endpoints = createEndpoints({ database, containers, probes, bus, clock, scheduler, log: part("endpoints") });
  lifecycle.add("endpoints", endpoints);
  const scan = createScanner({ trust, clock });
  const certificates = createCertificates({ database, containers, endpoints, scan, bus, clock, scheduler, log: part("certificates") });
  lifecycle.add("certificates", certificates);
  const heartbeats = createHeartbeats({ database, bus, clock, scheduler, baseUrl: config.baseUrl });
  lifecycle.add("heartbeats", heartbeats);
  const security = createSecurity({
    database,
    containers,
    bus,
    clock,
    scheduler,
    log: part("security"),
    alerts: securityAlertsOf(() => alerting),
  });
  lifecycle.add("security", security);

  const outbound = createOutbound({ allowPrivate: config.allowPrivateWebhooks, clock, trust });
  lifecycle.add("outbound", outbound);
  const runtimeWatch = createRuntimeWatch({ bus, clock });
  lifecycle.add("runtime watch", runtimeWatch);
  const newMailer = () => config.smtp && createMailer(mailServer(config.smtp, trust), clock);
  const alerting: Alerting = createAlerting({
    database,
    bus,
    clock,
    scheduler,
    log: part("alerting"),
    baseUrl: config.baseUrl,
    outbound,
    mailer: newMailer(),
    requireCapability: editions.require,
    announcers: [
      { source: "agent", announce: runtimeWatch.announce },
      { source: "container", announce: containers.announce },
      { source: "resource", announce: resources.announce },
      { source: "endpoint", announce: endpoints.announce },
      { source: "certificate", announce: certificates.announce },
      { source: "heartbeat", announce: heartbeats.announce },
      { source: "security", announce: security.announce },
    ],
    coverOf: (components) => statusPage.coverOf(components),
  });
  lifecycle.add("alerting", alerting);
  const statusPage = createStatusPage({
    database,
    bus,
    clock,
    scheduler,
    log: part("status page"),
    baseUrl: config.baseUrl,
    monitoring: { containers, endpoints, heartbeats, certificates },
    alerting,
    mailer: newMailer(),
  });
  lifecycle.add("status page", statusPage);
  const webhooks = createWebhooks({ database, bus, clock, scheduler, log: part("webhooks"), outbound });
  lifecycle.add("webhooks", webhooks);

  const intake = createIntake({
    observers: [containers, resources, endpoints, certificates, security, settleAfterInventory(alerting)],
    clock,
    log: part("intake"),
  });
  lifecycle.add("intake", intake);

  const live = createLive({ bus, clock, log: part("live"), version: build.version });
  lifecycle.add("live", live);

  const tellStatus = announceRuntime(bus, clock);
  const collector = createContainerCollector({
    runtime,
    sink: intake,
    agentId: null,
    clock,
    log: part("collector"),
    resumeFrom: containers.resumeFrom,
    onStatus(status) {
      tellStatus(status);
      runtimeWatch.note(status);
    },
  });
  const resourceCollector = createResourceCollector({
    runtime,
    host: createHostReader({ clock, procPath: findHostProc(config.hostProc), runtime: collector.status }),
    sink: intake,
    agentId: null,
    clock,
    log: part("collector"),
    status: collector.status,
  });

  const http = createHttpServer({
    routes: [
      ...metaRoutes({
        version: build.version,
        database,
        runtimeStatus: () => runtimeStatusRecord(collector.status()),
        storageUse: () => storageUseOf({ database, series, limitBytes: config.maxDbBytes }),
      }),
      ...editions.routes,
      ...live.routes,
      ...containers.routes,
      ...resources.routes,
      ...endpoints.routes,
      ...certificates.routes,
      ...heartbeats.routes,
      ...security.routes,
      ...alerting.routes,
      ...statusPage.routes,
      ...webhooks.routes,
    ],
    config: { ...config, adminToken: config.adminToken?.reveal() },
    clock,
    log: part("http"),
    version: build.version,
    gate: editions.require,
    webRoot,
  });
  let url = "";
  lifecycle.add("http", {
    async start() {
      ({ url } = await http.start());
    },
    stop: http.stop,
  });
  lifecycle.add("probes", probes);
  lifecycle.add("collector", collector);
  lifecycle.add("resource collector", resourceCollector);
  lifecycle.add("runtime", { stop: runtime.close });

  return {
    async start() {
      await lifecycle.start();
      return { url };
    },
    stop: lifecycle.stop,
    editions,
    routes: http.routes,
  };
}

function mailServer({ login, ...server }: SmtpConfig, trust: Trust): SmtpSettings {
  const revealed = login && { username: login.username, password: login.password.reveal() };
  return { ...server, login: revealed, secureContext: trust.context("strict") };
}

/** Alerts wait until it is known what runs on this host: what was wrong before the program started may long be over. */
function settleAfterInventory({ settle }: Pick<Alerting, "settle">): Observer {
  return {
    async observe(agentId, batch) {
      if (agentId === null && batch.some(({ kind }) => kind === "container.inventory")) settle();
    },
  };
}
