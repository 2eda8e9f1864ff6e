import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { Route } from "../http/route.ts";
import type { Tool } from "../mcp/tool.ts";
import type { Log } from "../platform/log.ts";
import { removeReplacedFiles, removeReplacedSchemas } from "../storage/transfer/index.ts";
import { createScheduledBackups } from "./backups/scheduled.ts";
import { type Ground, openGround, type ServerDependencies } from "./ground.ts";
import { openLocalHost } from "./local-host.ts";
import { openAnswers } from "./open-answers.ts";
import { type Monitoring, openMonitoring } from "./open-monitoring.ts";
import { openPublishing, type Publishing } from "./open-publishing.ts";
import { createRemoteHosts } from "./remote-hosts.ts";
import { settleAfterInventory } from "./settle-after-inventory.ts";
import { isServiceError, StartError, messageOf } from "../platform/errors.ts";
import type { DatabaseStatus, Database } from "../storage/database.ts";

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
  tools(): Promise<readonly Tool[]>;
}

/** The whole program in embedded and in server mode: observe, store, publish, in the order in which it is built and started. */
export function createServer(dependencies: ServerDependencies): Server {
  const ground = openGround(dependencies);
  const { config, build, runtime, outside, lifecycle, part, database, clock, scheduler, editions, intake } = ground;

  const remoteHosts = createRemoteHosts({
    ...{ ...ground, version: build.version, log: part("fleet") },
    ...{ ingest: intake, hosts: ground.hostRemoval, openListener: outside?.openListener },
  });
  const monitoring = openMonitoring(ground, remoteHosts);
  const publishing = openPublishing(ground, monitoring, remoteHosts);
  openIntake(ground, monitoring, publishing);
  lifecycle.add("live", publishing.live);

  const localHost = openLocalHost(config, {
    ...{ runtime, sink: intake, host: outside?.host, clock, log: part("collector"), resumeFrom: monitoring.containers.resumeFrom },
    onStatus: (status) => intake.observe(null, { kind: "runtime.changed", observedAt: clock.now(), status }),
  });
  const backups = createScheduledBackups({ config, version: build.version, clock, scheduler, log: part("backups") });
  lifecycle.add("backups", backups);
  const answers = openAnswers(ground, { monitoring, publishing, remoteHosts, localHost, backups });
  lifecycle.add("pings", monitoring.heartbeats.pings);
  lifecycle.add("probes", monitoring.probes);
  lifecycle.add("local host", localHost);
  lifecycle.add("listener of agents", remoteHosts.listener);
  lifecycle.add("standby", { stop: answers.standby.stop }, { isAlwaysStopped: true });
  lifecycle.add("replaced data", { start: () => removeReplaced({ config, database, log: part("storage") }) });

  return {
    async start() {
      try {
        if (await answers.standby.wait()) await lifecycle.start();
      } catch (error) {
        await lifecycle.stop();
        throw lostAtStart(error, database.status());
      }
      return { url: answers.url() };
    },
    stop: lifecycle.stop,
    takenOver: database.takenOver,
    editions,
    routes: answers.routes,
    tools: answers.tools,
  };
}

/** Opens the intake to all who take observations, and host removal to all who keep something of hosts. */
function openIntake({ lifecycle, intake, hostRemoval }: Ground, monitoring: Monitoring, publishing: Publishing): void {
  const { containers, resources, endpoints, certificates, heartbeats, updates, updateComparisons, security } = monitoring;
  const { swarm, kubernetes } = monitoring.clusters;
  const { runtimeWatch, observedHosts, alerting, statusPage } = publishing;
  const doors = {
    // What a listing shows is saved before its runtime counts as seen.
    observers: [
      ...[containers, swarm, kubernetes, resources, endpoints, certificates, updateComparisons, security],
      ...[observedHosts, runtimeWatch, settleAfterInventory(alerting)],
    ],
    recorders: [containers, resources, endpoints],
    complete: swarm.complete,
    canWait: endpoints.canWait,
  };
  // What refers to others goes before them, and alerts are held after what raises them.
  const features = [
    ...[security, updates, updateComparisons, statusPage, alerting, runtimeWatch, swarm, kubernetes, observedHosts],
    ...[resources, certificates, endpoints, heartbeats, containers],
  ];
  lifecycle.add("host removal", { start: () => hostRemoval.start(features) });
  lifecycle.add("intake", { start: () => intake.start(doors), stop: () => intake.stop() });
}

/** What ends the start: the loss of the database is not a defect of the program, so it becomes a StartError with its reason. */
function lostAtStart(error: unknown, { error: reason }: DatabaseStatus): unknown {
  if (reason === null || !isServiceError(error, "storage_unavailable")) return error;
  return new StartError(`The database was lost while the program started: ${reason}.`, { cause: error });
}

interface Replaced {
  config: Pick<Config, "databaseUrl" | "databasePath">;
  database: Pick<Database, "tables">;
  log: Log;
}

/** Removes what a restore replaced, now that the program has started on what was restored. */
async function removeReplaced({ config, database, log }: Replaced): Promise<void> {
  try {
    const removed =
      config.databaseUrl === undefined ? removeReplacedFiles(config.databasePath) : await removeReplacedSchemas(database.tables<object>());
    if (removed.length > 0) log.info({ removed }, "what a restore replaced is removed");
  } catch (error) {
    log.warn({ reason: messageOf(error) }, "what a restore replaced cannot be removed; it takes space");
  }
}
