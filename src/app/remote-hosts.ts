import type { AddressInfo } from "node:net";
import type { Config } from "../config/config.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import { type Agents, createAgents, type HostRemoval } from "../fleet/agents/index.ts";
import { openOwnCertificate, type OwnCertificate } from "../fleet/own-certificate.ts";
import { createEnrollment, purgeTokens } from "../fleet/enrollment/index.ts";
import type { Listener } from "../fleet/listener/index.ts";
import type { Ingest, LogLine, LogRequest } from "../fleet/seams.ts";
import type { Route } from "../http/route.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { Database } from "../storage/database.ts";
import type { Part } from "./lifecycle.ts";
import type { Outside } from "./outside.ts";

export interface RemoteHostsParts {
  config: Config;
  /** Of this program. */
  version: string;
  database: Database;
  editions: Editions;
  /** Takes what agents see. */
  ingest: Ingest;
  /** Deletes what was kept of a host. */
  hosts: HostRemoval;
  /** Made up, of a demo; by default the port of the agents. */
  openListener: Outside["openListener"] | undefined;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** The hosts that are watched through agents. */
export interface RemoteHosts {
  agents: Agents;
  /** Started before the parts that use agents, and stopped after them. */
  part: Part;
  /** Where agents connect: started last, stopped first. Does nothing outside of server mode. */
  listener: Part;
  /** Where agents are listened for. */
  addresses(): readonly AddressInfo[];
  routes: Route[];
  logs(agentId: string, request: LogRequest): AsyncIterable<readonly LogLine[]>;
}

const EDITION_LOOKED_AT_MS = 10_000;

export function createRemoteHosts(parts: RemoteHostsParts): RemoteHosts {
  const { config, version, database, editions, ingest, hosts, openListener, bus, clock, scheduler, log } = parts;
  const listens = config.mode === "server";
  let ownCertificate: OwnCertificate | undefined;
  const agents = createAgents({
    database,
    bus,
    clock,
    scheduler,
    log,
    staleMs: config.agentStaleThreshold * 1000,
    hosts,
    purgers: [purgeTokens],
  });
  const enrollment = createEnrollment({
    database,
    agents,
    clock,
    scheduler,
    log,
    listens,
    grpcUrl: config.grpcUrl,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    fingerprint: () => ownCertificate?.fingerprint,
  });
  let listener: Listener | undefined;
  agents.service.onRevoked((id, why) => listener?.disconnect(id, why === "deleted" ? "listener_unavailable" : "agent_revoked"));

  /** Its file was lost, or another server with its own data folder had the database before. */
  function warnOfNewCertificate(): void {
    const known = agents.service.list().agents.filter(({ status }) => status === "active").length;
    if (ownCertificate?.isNew !== true || known === 0) return;
    log.error(
      { agents: known, fingerprint: ownCertificate.fingerprint },
      "this server made itself a new certificate, which the agents that know the one before refuse: put back grpc-certificate.pem of the data folder that was used before, or start the agents with the new fingerprint",
    );
  }

  return {
    agents,
    part: {
      async start() {
        if (listens && openListener === undefined && config.grpcTls.kind === "self_signed")
          ownCertificate = openOwnCertificate({ dataDir: config.dataDir, names: config.grpcTls.names, now: clock.now() });
        await agents.start();
        warnOfNewCertificate();
        await enrollment.start();
      },
      stop: agents.stop,
    },
    listener: {
      async start() {
        if (!listens) return;
        if (openListener !== undefined) {
          listener = openListener({ agents: agents.register, ingest });
          return listener.start();
        }
        const tls =
          config.grpcTls.kind === "self_signed" ? ownCertificate && { kind: config.grpcTls.kind, ...ownCertificate } : config.grpcTls;
        if (tls === undefined) throw new Error("the listener is started after the agents");
        // gRPC takes as long to load as all else together, so only who needs it loads it.
        const { createListener } = await import("../fleet/listener/index.ts");
        listener = createListener({
          listen: config.grpcListen,
          tls,
          proxies: config.trustedProxies,
          agents: agents.register,
          register: enrollment.register,
          ingest,
          requireEdition: () => editions.require("agents"),
          eventsPerSecond: config.agentRateLimit,
          version,
          clock,
          log,
        });
        await listener.start();
        scheduler.every({ name: "edition of agents", everyMs: EDITION_LOOKED_AT_MS, run: listener.checkEdition });
        const { address = "", port = 0 } = listener.address() ?? {};
        const identity = ownCertificate === undefined ? {} : { fingerprint: ownCertificate.fingerprint };
        log.info({ address, port, tls: config.grpcTls.kind, ...identity }, "listening for agents");
      },
      stop: () => listener?.stop(),
    },
    addresses() {
      const address = listener?.address();
      return address === undefined ? [] : [address];
    },
    routes: [...agents.routes, ...enrollment.routes],
    logs(agentId, request) {
      if (listener === undefined)
        throw new ServiceError("agent_offline", "This program runs in embedded mode: no agent is connected to it.");
      return listener.logs(agentId, request);
    },
  };
}
