import { createHttpServer } from "../http/server.ts";
import type { Route } from "../http/route.ts";
import type { Tool } from "../mcp/tool.ts";
import { createOverview } from "../publishing/overview/index.ts";
import type { ScheduledBackups } from "./backups/scheduled.ts";
import type { Ground } from "./ground.ts";
import type { LocalHost } from "./local-host.ts";
import { metaRoutes } from "./meta/routes.ts";
import { offeredToAssistants } from "./offered-to-assistants.ts";
import { openMcp } from "./open-mcp.ts";
import type { Monitoring } from "./open-monitoring.ts";
import type { Publishing } from "./open-publishing.ts";
import type { RemoteHosts } from "./remote-hosts.ts";
import { createStandby, type Standby } from "./standby.ts";
import { storageUseOf } from "./storage-use.ts";
import type { RuntimeStatus } from "../collector/containers.ts";
import type { RuntimeStatusRecord } from "./meta/answers.ts";

/** What people, programs and assistants may ask. */
export interface Answers {
  /** Answers in place of the rest while another server has the database. */
  standby: Standby;
  routes: readonly Route[];
  tools(): Promise<readonly Tool[]>;
  /** Where it is answered; empty until then. */
  url(): string;
}

export interface Answering {
  monitoring: Monitoring;
  publishing: Publishing;
  remoteHosts: RemoteHosts;
  localHost: LocalHost;
  backups: ScheduledBackups;
}

export function openAnswers(ground: Ground, { monitoring, publishing, remoteHosts, localHost, backups }: Answering): Answers {
  const { config, build, runtime, outside, lifecycle, part, database, bus, clock, editions, adminAccess, audit, listener } = ground;
  const { version } = build;
  const { agents } = remoteHosts;
  const about = {
    ...{ version, database, isDemo: outside !== undefined },
    mode: config.mode === "server" ? "server" : "embedded",
    runtimeStatus: () => runtimeStatusRecord(localHost.status(), runtime !== undefined),
  } as const;
  const features = { ...monitoring, ...publishing };
  const overview = createOverview({
    ...features,
    agents: () => agents.service.list().agents,
    servicesOf: monitoring.clusters.kubernetes.servicesOf,
    clock,
  });
  const offered = offeredToAssistants({ ...features, overview, about, editions, agents, audit, bus, clock });
  const mcp = openMcp({ ...ground, version, isDemo: outside !== undefined, offered, log: part("mcp") }, lifecycle);

  const httpOptions = { config, clock, log: part("http"), version, listener };
  const standby = createStandby({ database, http: httpOptions, mode: about.mode, clock, log: part("standby") });
  const storageUse = () => storageUseOf({ database, budget: monitoring.budget, limitBytes: config.maxDbBytes, backups: backups.status });
  const http = createHttpServer({
    ...{ ...httpOptions, adminAccess, audit, gate: editions.require, webRoot: ground.webRoot },
    publicDomain: publishing.statusPage.domain,
    newestEventId: publishing.live.newestId,
    routes: [
      ...metaRoutes({ ...about, storageUse }),
      ...[editions, remoteHosts, publishing.live].flatMap(({ routes }) => routes),
      ...routesOf(monitoring),
      ...publishing.alerting.routes,
      ...[overview, publishing.statusPage, publishing.webhooks, audit, mcp].flatMap(({ routes }) => routes),
    ],
  });
  let url = "";
  lifecycle.add("http", {
    async start() {
      ({ url } = await http.start());
      ground.httpAddresses.push(...http.addresses());
    },
    stop: () => Promise.all([listener.close(), http.stop()]),
  });
  return { standby, routes: http.routes, tools: offered.tools, url: () => url };
}

function routesOf(monitoring: Monitoring): Route[] {
  const { containers, logs, resources, endpoints, certificates, heartbeats, updates, security, clusters } = monitoring;
  return [containers, logs, resources, endpoints, certificates, heartbeats, updates, security, clusters].flatMap(({ routes }) => routes);
}

/** The local runtime's state as it goes over the wire. */
function runtimeStatusRecord(status: RuntimeStatus, watched: boolean): RuntimeStatusRecord {
  return {
    watched,
    runtime: status.runtime,
    connected: status.connected,
    version: status.version,
    api_version: status.apiVersion,
    error: status.error,
    since: status.since.toISOString(),
    address: status.address,
    capabilities: status.capabilities,
    missing: status.missing,
  };
}
