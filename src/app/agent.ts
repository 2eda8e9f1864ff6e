import { createLabelled } from "../collector/labelled/index.ts";
import type { RuntimeStatus } from "../collector/containers.ts";
import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { createUplink } from "../fleet/uplink/index.ts";
import type { ObservationSink } from "../observations.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { AgentStatusRepository } from "./agent-status.ts";
import { createLifecycle } from "./lifecycle.ts";
import { agentHello, createLocalHost } from "./local-host.ts";
import { openChecks } from "./open-checks.ts";
import { openTrust } from "./open-trust.ts";

export interface AgentDependencies {
  config: Config;
  build: BuildInfo;
  /** The runtime of this host. */
  runtime: Runtime;
  clock: Clock;
  log: Log;
}

export interface Agent {
  /** Throws a StartError when it can never work as it is. */
  start(): Promise<void>;
  /** Answers what did not stop cleanly. */
  stop(): Promise<string[]>;
  /** Resolves when the server will never take it: its token is refused, or it was revoked. */
  ended: Promise<{ code: string; message: string }>;
}

/** What the host is called is asked of its runtime before the agent says who it is; a runtime that is away must not keep it from that. */
const RUNTIME_WITHIN_MS = 5_000;
const LOOKED_EVERY_MS = 50;

/** The whole program in agent mode: observes like a server, and sends its observations to one. */
export function createAgent({ config, build, runtime, clock, log }: AgentDependencies): Agent {
  const { server } = config;
  if (server === undefined) throw new StartError("SERVICE_SERVER: an agent needs to know its server, as --server=grpcs://HOST[:PORT]");
  const lifecycle = createLifecycle({ clock, log, stopWithinMs: config.shutdownSeconds * 1000 });
  const part = (component: string): Log => log.child({ component });
  const trust = openTrust(config);

  const uplink = createUplink({
    server,
    skipTlsVerify: config.grpcInsecureSkipTlsVerify,
    serverFingerprint: config.serverFingerprint,
    trust: () => trust.context("strict"),
    dataDir: config.dataDir,
    enrollmentToken: config.enrollmentToken?.reveal(),
    label: config.label,
    spool: spoolBounds(config),
    logs: ({ externalId, ...options }) => runtime.logs(externalId, options),
    clock,
    log: part("uplink"),
  });
  const { probes, scan } = openChecks({ sink: uplink, trust, runtime, clock, log: part("probes") });
  const labelled = createLabelled({ sink: uplink, probes, scan, clock, log: part("labels") });
  const sink: ObservationSink = {
    observe(agentId, observation) {
      uplink.observe(agentId, observation);
      labelled.observe(agentId, observation);
    },
  };
  const status = new AgentStatusRepository({ dataDir: config.dataDir, uplink, clock, log });
  const localHost = createLocalHost({
    runtime,
    sink,
    hostProc: config.hostProc,
    labels: { checkMethods: config.labelCheckMethods, imageLabels: config.imageLabels },
    clock,
    log: part("collector"),
    resumeFrom: () => status.watchedUntil(),
    onStatus: reportRuntime,
  });

  void uplink.ended.then(stopWatching);

  /** A new stream knows nothing of it, and it is not kept for later. */
  function reportRuntime({ runtime: kind, connected, version, apiVersion, error, since }: RuntimeStatus): void {
    const connection = { runtime: kind, connected, version, apiVersion, error, since };
    uplink.observe(null, { kind: "runtime.changed", observedAt: clock.now(), status: connection });
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    // A runtime that is not connected lists nothing: a stream then begins with that, and everything else follows.
    if (!localHost.status().connected) reportRuntime(localHost.status());
    await localHost.refresh(signal);
  }

  async function stopWatching(): Promise<void> {
    for (const each of [labelled, probes, localHost]) await each.stop();
  }

  lifecycle.add("status", { start: () => status.start(localHost), stop: () => status.stop() });
  lifecycle.add("uplink", { stop: () => uplink.stop() });
  lifecycle.add("local host", localHost);
  lifecycle.add("probes", probes);
  lifecycle.add("labels", labelled);
  lifecycle.add("connection", {
    async start() {
      const untilMs = clock.monotonicMs() + RUNTIME_WITHIN_MS;
      while (!localHost.status().connected && clock.monotonicMs() < untilMs) await pause(clock, LOOKED_EVERY_MS);
      uplink.start({
        hello: () => agentHello(localHost.status(), build.version),
        refresh,
        report: () => reportRuntime(localHost.status()),
      });
    },
  });

  return { start: lifecycle.start, stop: lifecycle.stop, ended: uplink.ended };
}

function spoolBounds({ agentSpoolMaxMemoryBytes, agentSpoolMaxDiskBytes, agentSpoolMaxAgeSeconds }: Config) {
  return { maxMemoryBytes: agentSpoolMaxMemoryBytes, maxDiskBytes: agentSpoolMaxDiskBytes, maxAgeMs: agentSpoolMaxAgeSeconds * 1000 };
}
