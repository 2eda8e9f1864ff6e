import { createAuditLog } from "../administration/audit/index.ts";
import { type Alerting, createAlerting } from "../alerting/index.ts";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import type { ObservationSink } from "../observations.ts";
import type { Route } from "../http/route.ts";
import { createHttpServer } from "../http/server.ts";
import type { Tool } from "../mcp/tool.ts";
import { createCertificates } from "../monitoring/certificates/index.ts";
import { createContainers, runs, stoppedAs } from "../monitoring/containers/index.ts";
import { createEndpoints } from "../monitoring/endpoints/index.ts";
import { createHeartbeats } from "../monitoring/heartbeats/index.ts";
import { createHostRemoval } from "../monitoring/hosts/index.ts";
import { createIntake } from "../monitoring/intake.ts";
import { createLogs } from "../monitoring/logs/index.ts";
import { createResources, RESOURCE_FAMILY } from "../monitoring/resources/index.ts";
import { createSecurity } from "../monitoring/security/index.ts";
import { createBus } from "../platform/bus.ts";
import { createOutbound } from "../platform/outbound.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { createMailer } from "../platform/mailer.ts";
import { createScheduler } from "../platform/scheduler.ts";
import { createLive } from "../publishing/live/index.ts";
import { createOverview } from "../publishing/overview/index.ts";
import { createStatusPage } from "../publishing/status/index.ts";
import { createWebhooks } from "../publishing/webhooks/index.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { createBudget } from "../storage/budget/index.ts";
import { createSeriesStore } from "../storage/series/index.ts";
import { auditEnrollments } from "./audit-enrollments.ts";
import { createScheduledBackups } from "./backups/scheduled.ts";
import { containerLogs } from "./container-logs.ts";
import { openDatabase } from "./database.ts";
import { createLifecycle } from "./lifecycle.ts";
import { openLocalHost } from "./local-host.ts";
import { lostAtStart } from "./lost-at-start.ts";
import { mailSettings } from "./mail-settings.ts";
import { metaRoutes } from "./meta/routes.ts";
import { offeredToAssistants } from "./offered-to-assistants.ts";
import { openAccess } from "./open-access.ts";
import { openChecks } from "./open-checks.ts";
import { openClusters } from "./open-clusters.ts";
import { openEditions } from "./open-editions.ts";
import { openMcp } from "./open-mcp.ts";
import { openSecrets } from "./open-secrets.ts";
import { openTrust } from "./open-trust.ts";
import { openUpdates } from "./open-updates.ts";
import { removeReplaced } from "./replaced.ts";
import { createRemoteHosts } from "./remote-hosts.ts";
import { runtimeStatusRecord } from "./runtime-status.ts";
import { lostBefore } from "./lost-before.ts";
import { createObservedHosts } from "./observed-hosts.ts";
import type { Outside } from "./outside.ts";
import { createRuntimeWatch } from "./runtime-watch.ts";
import { securityAlertsOf } from "./security-alerts.ts";
import { settleAfterInventory } from "./settle-after-inventory.ts";
import { createStandby } from "./standby.ts";
import { storageUseOf } from "./storage-use.ts";

export interface ServerDependencies {
  config: Config;
  build: BuildInfo;
  /** The runtime of this host; undefined when it is not watched. */
  runtime: Runtime | undefined;
  /** The folder of the built web app. */
  webRoot: string;
  clock: Clock;
  log: Log;
  /** Of a demo: made up, in place of what is reached outside. */
  outside?: Outside;
}

export interface Server {
  /** Starts everything, once no other server has the database; answers where it listens. Throws a StartError. */
  start(): Promise<{ url: string }>;
  /** Stops everything in reverse; answers what did not stop cleanly. */
  stop(): Promise<string[]>;
  /** Settles when another server has taken the database over: this one must end. */
  takenOver: Promise<void>;
  editions: Editions;
  /** All routes that are answered. */
  routes: readonly Route[];
  /** All that assistants may ask. */
  tools(): readonly Tool[];
}

/** The whole program in embedded and in server mode: see -> know -> tell, in the order in which it is built. */
export function createServer({ config, build, runtime, webRoot, clock, log, outside }: ServerDependencies): Server {
  const lifecycle = createLifecycle({ clock, log, stopWithinMs: config.shutdownSeconds * 1000 });
  const part = (component: string): Log => log.child({ component });

  const database = openDatabase(config, { clock, log: part("storage") });
  lifecycle.add("database", database);
  const secrets = openSecrets({ config, database, log: part("storage") }, lifecycle);
  const bus = createBus<Event>(part("bus"));
  const scheduler = createScheduler(clock, part("scheduler"));
  lifecycle.add("scheduler", scheduler);
  const adminAccess = openAccess({ config, database, clock, scheduler, log: part("access") }, lifecycle);
  const audit = createAuditLog({ database, clock, scheduler });
  lifecycle.add("audit log", audit);
  auditEnrollments(bus, audit);
  const editions = outside?.editions ?? openEditions(config, build, { clock, log: part("editions") });

  const logSource = containerLogs(runtime, () => remoteHosts);
  const containers = createContainers({
    ...{ database, bus, clock, scheduler, log: part("containers"), logSource },
    downAfterMs: config.containerDownAfter,
    isSuperseded: (container) => clusters.swarm.isSuperseded(container),
  });
  lifecycle.add("containers", containers);
  const logs = createLogs({ containers, logSource, clock, log: part("logs") });
  const series = createSeriesStore({
    database,
    family: RESOURCE_FAMILY,
    clock,
    scheduler,
    log: part("series"),
    retention: { detailMs: config.retentionDetail, minutesMs: config.retentionMinutes, hoursMs: config.retentionHours },
  });
  lifecycle.add("series", series);
  const budget = createBudget({ database, series, limitBytes: config.maxDbBytes, clock, scheduler, log: part("storage") });
  lifecycle.add("budget", budget);
  const resources = createResources({
    database,
    series,
    containers,
    bus,
    clock,
    scheduler,
    requireCapability: editions.require,
    agents: { local: runtime !== undefined, ids: () => remoteHosts.agents.ids(), labelOf: (id) => remoteHosts.agents.labelOf(id) },
  });
  lifecycle.add("resources", resources);
  const trust = openTrust(config);
  const sink: ObservationSink = { observe: (...seen) => intake.observe(...seen) };
  const { probes, scan } = (outside?.openChecks ?? openChecks)({
    sink,
    trust,
    // As far as they listen already.
    listeners: () => [...http.addresses(), ...remoteHosts.addresses()],
    runtime,
    clock,
    log: part("probes"),
  });
  const endpoints = createEndpoints({ database, secrets, containers, probes, bus, clock, scheduler, log: part("endpoints") });
  lifecycle.add("endpoints", endpoints);
  const certificates = createCertificates({ database, containers, endpoints, scan, bus, clock, scheduler, log: part("certificates") });
  lifecycle.add("certificates", certificates);
  const heartbeats = createHeartbeats({ database, bus, clock, scheduler, baseUrl: config.baseUrl });
  lifecycle.add("heartbeats", heartbeats);
  const { updates, updateComparisons } = openUpdates(
    {
      ...{ config, database, containers, endpoints, series, editions, outside, trust, bus, clock, scheduler, log: part("updates") },
      workloadOf: (container) => clusters.kubernetes.workloadOf(container),
    },
    lifecycle,
  );
  const security = createSecurity({
    database,
    containers,
    bus,
    clock,
    scheduler,
    log: part("security"),
    alerts: securityAlertsOf(() => alerting),
    postureThreshold: config.securityPostureThreshold,
    grants: editions.grants,
    updatesOf: updates.severitiesOf,
    newerImageOf: updates.newerImageOf,
    ecosystemOf: ({ id }) => updates.ecosystemOf(id),
    nodePortsOf: (container) => clusters.swarm.nodePortsOf(container),
    exposureOf: (container) => clusters.kubernetes.exposureOf(container),
  });
  lifecycle.add("security", security);
  const clusters = openClusters(
    { database, containers, endpoints, certificates, sink, bus, clock, scheduler, active: () => alerting.active() },
    lifecycle,
  );
  const remoteHosts = createRemoteHosts({
    config,
    version: build.version,
    database,
    editions,
    ingest: { live: (...seen) => intake.live(...seen), replay: (...seen) => intake.replay(...seen) },
    hosts: { remove: (...of) => hostRemoval.remove(...of) },
    openListener: outside?.openListener,
    bus,
    clock,
    scheduler,
    log: part("fleet"),
  });
  lifecycle.add("remote hosts", remoteHosts.part);

  const outbound = outside?.outbound ?? createOutbound({ allowPrivate: config.allowPrivateWebhooks, clock, trust });
  lifecycle.add("outbound", outbound);
  // Before whoever makes events: started first and stopped last, so that none is missed.
  const webhooks = createWebhooks({ database, secrets, bus, clock, scheduler, log: part("webhooks"), outbound });
  lifecycle.add("webhooks", webhooks);
  const runtimeWatch = createRuntimeWatch({
    bus,
    clock,
    present: containers.present,
    lostBefore: (agentId) => lostBefore(alerting.active(), agentId),
  });
  lifecycle.add("runtime watch", runtimeWatch);
  const observedHosts = createObservedHosts(clock);
  const hostName = (id: string | null): string | null => (id === null ? null : (remoteHosts.agents.labelOf(id) ?? null));
  const newMailer = () => config.smtp && createMailer(mailSettings(config.smtp, trust), clock);
  const alerting: Alerting = createAlerting({
    database,
    secrets,
    bus,
    clock,
    scheduler,
    log: part("alerting"),
    baseUrl: config.baseUrl,
    outbound,
    mailer: newMailer(),
    requireCapability: editions.require,
    announcers: [
      { source: "agent", announce: () => [...runtimeWatch.announce(), ...remoteHosts.agents.announce()] },
      { source: "container", announce: containers.announce },
      { source: "resource", announce: resources.announce },
      { source: "endpoint", announce: endpoints.announce },
      { source: "certificate", announce: certificates.announce },
      { source: "heartbeat", announce: heartbeats.announce },
      { source: "update", announce: () => [...updates.announce(), ...updateComparisons.announce()] },
      { source: "security", announce: security.announce },
      { source: "webhook", announce: () => webhooks.announce() },
      ...clusters.announcers,
    ],
    hostName,
    watches: {
      localRuntime: runtime !== undefined,
      runs: (id) => runs(containers.present.get(id)),
      stoppedAs: (id) => stoppedAs(containers.present.get(id)),
      isDownOver: containers.isDownOver,
      hasStoppedWithRuntime: (id) => runtimeWatch.hasStopped(containers.present.get(id)),
      mayReturn: (id) => containers.present.get(id)?.archivedAt instanceof Date,
      isStarting: (id) => containers.present.get(id)?.health === "starting",
      ...clusters.watches,
    },
    coverOf: (components) => statusPage.coverOf(components),
    hasComponent: (id) => statusPage.hasComponent(id),
  });
  lifecycle.add("alerting", alerting);
  budget.onDropped((kind) => kind === "alerts" && alerting.forgetTotals());
  const statusPage = createStatusPage({
    database,
    bus,
    clock,
    scheduler,
    log: part("status page"),
    baseUrl: config.baseUrl,
    monitoring: { containers, endpoints, heartbeats, certificates, hosts: observedHosts },
    alerting,
    mailer: newMailer(),
    isDemo: outside !== undefined,
  });
  lifecycle.add("status page", statusPage);

  const intake = createIntake({
    // What a listing shows is saved before its runtime counts as seen.
    observers: [
      ...[containers, clusters.swarm, clusters.kubernetes, resources, endpoints, certificates, updateComparisons, security],
      ...[observedHosts, runtimeWatch, settleAfterInventory(alerting)],
    ],
    recorders: [containers, resources, endpoints],
    complete: clusters.swarm.complete,
    ...{ clock, log: part("intake") },
  });
  lifecycle.add("intake", intake);
  const hostRemoval = createHostRemoval({
    intake,
    // What refers to others goes before them, and alerts are held after what raises them.
    features: [
      ...[security, updates, updateComparisons, statusPage, alerting],
      ...[runtimeWatch, clusters.swarm, clusters.kubernetes, observedHosts],
      ...[resources, certificates, endpoints, heartbeats, containers],
    ],
  });

  const live = createLive({ bus, clock, log: part("live"), version: build.version });
  lifecycle.add("live", live);

  const localHost = openLocalHost(config, {
    ...{ runtime, sink: intake, host: outside?.host, clock, log: part("collector"), resumeFrom: containers.resumeFrom },
    onStatus: (status) => intake.observe(null, { kind: "runtime.changed", observedAt: clock.now(), status }),
  });

  const backups = createScheduledBackups({ config, version: build.version, clock, scheduler, log: part("backups") });
  lifecycle.add("backups", backups);

  const about = {
    version: build.version,
    mode: config.mode === "server" ? "server" : "embedded",
    database,
    runtimeStatus: () => runtimeStatusRecord(localHost.status(), runtime !== undefined),
    isDemo: outside !== undefined,
  } as const;
  const monitored = { containers, endpoints, heartbeats, certificates, updates, updateComparisons, alerting, statusPage };
  const offered = offeredToAssistants({
    ...monitored,
    about,
    editions,
    logs,
    resources,
    security,
    clusters,
    agents: remoteHosts.agents,
    audit,
    hostName,
    bus,
    clock,
  });
  const mcp = openMcp(
    { config, version: build.version, database, adminAccess, audit, editions, offered, clock, scheduler, log: part("mcp") },
    lifecycle,
  );

  const httpOptions = { config, clock, log: part("http"), version: build.version };
  const standby = createStandby({ database, http: httpOptions, mode: about.mode, clock, log: part("standby") });
  const http = createHttpServer({
    ...httpOptions,
    routes: [
      ...metaRoutes({
        ...about,
        storageUse: () => storageUseOf({ database, budget, limitBytes: config.maxDbBytes, backups: backups.status }),
      }),
      ...editions.routes,
      ...remoteHosts.routes,
      ...live.routes,
      ...[containers, logs, resources, endpoints, certificates, heartbeats, updates, security, clusters].flatMap(({ routes }) => routes),
      ...alerting.routes,
      ...createOverview({ ...monitored, agents: () => remoteHosts.agents.service.list().agents, clock }).routes,
      ...[statusPage, webhooks, audit, mcp].flatMap(({ routes }) => routes),
    ],
    adminAccess,
    audit,
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
  lifecycle.add("pings", heartbeats.pings);
  lifecycle.add("probes", probes);
  lifecycle.add("local host", localHost);
  lifecycle.add("listener of agents", remoteHosts.listener);
  lifecycle.add("replaced data", { start: () => removeReplaced({ config, database, log: part("storage") }) });

  return {
    async start() {
      try {
        if (await standby.wait()) await lifecycle.start();
      } catch (error) {
        await database.stop();
        throw lostAtStart(error, database.status());
      }
      return { url };
    },
    async stop() {
      await standby.stop();
      const unclean = await lifecycle.stop();
      // Of a server that only stood by no part has started, and yet it asked for the database.
      await database.stop();
      return unclean;
    },
    takenOver: database.takenOver,
    editions,
    routes: http.routes,
    tools: offered.tools,
  };
}
