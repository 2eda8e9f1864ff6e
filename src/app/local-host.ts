import { arch, hostname, release, type as systemType } from "node:os";
import { type ContainerCollectorOptions, createContainerCollector, type RuntimeStatus } from "../collector/containers.ts";
import { createHostReader, type HostReader } from "../collector/host.ts";
import { createKubernetesCollector } from "../collector/kubernetes.ts";
import { createResourceCollector } from "../collector/resources.ts";
import { createSwarmCollector } from "../collector/swarm.ts";
import type { Config } from "../config/config.ts";
import type { AgentHello } from "../fleet/seams.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { findHostProc } from "../runtimes/host-proc.ts";
import type { Runtime } from "../runtimes/runtime.ts";

export interface LocalHostParts extends Omit<ContainerCollectorOptions, "agentId" | "log"> {
  /** SERVICE_HOST_PROC. */
  hostProc: string | undefined;
  /** What reads the host; its /proc when absent. */
  host?: HostReader | undefined;
  log: Log;
}

/** The host that this program runs on, as it is watched: by a server itself, and by an agent for its server. */
export interface LocalHost {
  status(): RuntimeStatus;
  /** Has everything listed now; resolves once that was observed. */
  refresh(signal: AbortSignal): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Watches the containers of a runtime and what they and the host use. Observations carry no agent's id: an agent does not say who it is in them. */
export function createLocalHost(parts: LocalHostParts): LocalHost {
  const { runtime, sink, hostProc, clock, log } = parts;
  const containers = createContainerCollector({
    ...parts,
    agentId: null,
    onStatus(next) {
      parts.onStatus?.(next);
      if (next.connected) swarm?.connected();
    },
  });
  const status = (): RuntimeStatus => containers.status();
  const resources = createResourceCollector({
    runtime,
    host: parts.host ?? createHostReader({ clock, procPath: findHostProc(hostProc), runtime: status }),
    sink,
    agentId: null,
    clock,
    log,
    status,
  });
  const swarm =
    runtime.swarm === undefined
      ? undefined
      : createSwarmCollector({
          ...{ source: runtime.swarm, sink, agentId: null, clock, log },
          isConnected: () => status().connected,
          onStanding(standing, before) {
            // Its kind, and what is missing, were determined when it was connected.
            if (before === undefined && (standing === "manager") === status().capabilities.swarm) return;
            containers.describeAgain().catch((error: unknown) => log.debug({ reason: messageOf(error) }, "runtime not described"));
          },
          labels: parts.labels,
        });
  const kubernetes =
    runtime.kubernetes === undefined
      ? undefined
      : createKubernetesCollector({ source: runtime.kubernetes, sink, agentId: null, clock, log });
  return {
    status,
    async refresh(signal) {
      try {
        await containers.refresh(signal);
      } finally {
        // Not waited for: a manager without a quorum takes its time.
        void swarm?.refresh(signal).catch((error: unknown) => log.debug({ reason: messageOf(error) }, "swarm not read"));
        kubernetes?.refresh();
      }
    },
    start() {
      containers.start();
      resources.start();
      swarm?.start();
      kubernetes?.start();
    },
    async stop() {
      await Promise.all([containers.stop(), resources.stop(), swarm?.stop(), kubernetes?.stop()]);
      await runtime.close();
    },
  };
}

/** The host of a server: watched by its runtime, or not at all. */
export function openLocalHost(
  { hostProc, labelCheckMethods, imageLabels }: Config,
  { runtime, ...parts }: Omit<LocalHostParts, "runtime" | "hostProc" | "labels"> & { runtime: Runtime | undefined },
): LocalHost {
  if (runtime === undefined) return unwatchedHost(parts.clock.now());
  return createLocalHost({ ...parts, runtime, hostProc, labels: { checkMethods: labelCheckMethods, imageLabels } });
}

/** Stands for the host of a server that watches remote hosts alone. */
function unwatchedHost(since: Date): LocalHost {
  const status: RuntimeStatus = {
    runtime: "docker",
    address: "",
    connected: false,
    version: null,
    apiVersion: null,
    hostname: null,
    operatingSystem: null,
    error: "This server does not watch its own host, as SERVICE_EMBEDDED_AGENT says.",
    since,
    capabilities: { events: false, stats: false, logs: false, swarm: false, metrics: false },
    missing: [],
  };
  return { status: () => status, refresh: async () => undefined, start: () => undefined, stop: async () => undefined };
}

/** What an agent of this build can do. */
const CAPABILITIES = ["logs", "endpoints", "certificates", "resources"];

/** What an agent reports of itself and its host. The runtime knows the host from inside a container too, where the system sees the container. */
export function agentHello(status: Pick<RuntimeStatus, "runtime" | "hostname" | "operatingSystem">, version: string): AgentHello {
  return {
    version,
    hostname: status.hostname || hostname(),
    os: status.operatingSystem || `${systemType()} ${release()}`,
    arch: arch(),
    runtime: status.runtime,
    capabilities: CAPABILITIES,
  };
}
