import type { LogStream } from "../contract/log.ts";
import type { ContainerSighting, RuntimeKind } from "../observations.ts";
import type { KubernetesObjects, KubernetesSighting } from "../observations/kubernetes.ts";
import type { KubernetesWorkload } from "../observations/kubernetes-workloads.ts";
import type { SwarmService, SwarmSighting, SwarmTopology } from "../observations/swarm.ts";

/** A container as a runtime knows it: a sighting before its `service.*` labels were read. */
export interface RuntimeContainer extends Omit<ContainerSighting, "settings" | "labelErrors" | "endpoints" | "certificates"> {
  /** Of its labels that steer this program or commands for it, those that its image has with the same value. */
  imageLabels: readonly string[];
}

/** Something that happened. `cursor` is where to resume after it; opaque, comparable only by its runtime. */
export type RuntimeNews = { at: Date; cursor: string } & (
  | { what: "container"; container: RuntimeContainer; ended: boolean }
  | { what: "gone"; externalId: string }
);

/** Lines that came together, in their order; never none. */
export type LogBatch = readonly LogLine[];

export interface LogLine {
  /** null when the runtime did not say. */
  timestamp: Date | null;
  stream: LogStream;
  /** Without its line end; a longer line than {@link MAX_LOG_LINE_BYTES} is cut and says so. */
  text: string;
}

export const MAX_LOG_LINE_BYTES = 65_536;

export interface LogOptions {
  /** How many of the last lines to begin with. */
  tail: number;
  since?: Date;
  follow: boolean;
  /** Of a workload of Kubernetes: only containers of this name. */
  container?: string;
  /** Of a workload of Kubernetes: of the containers before their last restart. */
  previous?: boolean;
  signal: AbortSignal;
}

/** What a running container uses, at one moment. null is what the runtime does not say, never 0. */
export interface ContainerUsage {
  externalId: string;
  /** When it was read, on the monotonic scale of the clock. */
  readAtMs: number;
  /** CPU time used since its start. */
  cpuNanoseconds: number | null;
  /** CPUs in use at the moment, of a runtime that keeps no counter. */
  cpuCores?: number | null;
  /** How many CPUs it may use: its quota, else its cpuset, else all of the host. */
  allocatedCpus: number | null;
  /** Working set: without page cache that the kernel would give back. */
  memoryBytes: number | null;
  /** Its limit, else the memory of the host. */
  memoryLimitBytes: number | null;
  /** Counters since its start; null where it has no own network. */
  networkRxBytes: number | null;
  networkTxBytes: number | null;
  diskReadBytes: number | null;
  diskWriteBytes: number | null;
}

/** What a runtime can give, and what a permission or a socket proxy denies. */
export interface RuntimeDescription {
  version: string;
  apiVersion: string;
  hostname: string;
  operatingSystem: string;
  capabilities: { events: boolean; stats: boolean; logs: boolean; swarm: boolean; metrics: boolean };
  /** A sentence for each thing that is denied or not shown: what, and what to do. */
  missing: string[];
}

export interface NetworkAddress {
  address: string;
  port: number;
}

/** A service as a runtime knows it: before its `service.*` labels were read. */
export interface RuntimeSwarmService extends Omit<SwarmService, "settings" | "labelErrors" | "endpoints" | "certificates"> {
  /** Of the containers of its tasks, as the service says. */
  containerLabels: Record<string, string>;
}

/** What a runtime shows of the swarm that it belongs to. */
export interface RuntimeSwarm extends Omit<SwarmSighting, "topology"> {
  topology: (Omit<SwarmTopology, "services"> & { services: RuntimeSwarmService[] }) | null;
}

/** The swarm that an engine belongs to. Both methods throw `runtime_unavailable` when the engine cannot be reached. */
export interface SwarmSource {
  /** All that the engine shows of its swarm now, and how it stands in it. */
  read(signal: AbortSignal): Promise<RuntimeSwarm>;
  /** Yields when a service or a node changed; ends only by failure or abort. There are no events of tasks. */
  changes(signal: AbortSignal): AsyncIterable<void>;
}

/** A workload as a runtime knows it: before its `service.*` annotations were read. */
export type RuntimeWorkload = Omit<KubernetesWorkload, "settings">;

/** What a runtime shows of its cluster. */
export interface RuntimeKubernetes extends Omit<KubernetesSighting, "objects"> {
  objects: Omit<KubernetesObjects, "workloads"> & { workloads: RuntimeWorkload[] };
}

/** The cluster that a runtime watches. */
export interface KubernetesSource {
  /** All of it as it is known now. Throws `runtime_unavailable` before it was read. */
  read(): RuntimeKubernetes;
  /** All of it first, then what changed, a few times a second at most; ends only by abort. That it is not seen is part of it. */
  changes(signal: AbortSignal): AsyncIterable<RuntimeKubernetes>;
}

/** One host's container runtime, read only. Every method throws `runtime_unavailable` when it cannot be reached, with a reason and a remedy. */
export interface Runtime {
  readonly kind: RuntimeKind;
  /** Where it is reached, without credentials. */
  readonly address: string;
  /** The addresses of the network at which it was looked for so far; empty for a socket of this machine. */
  networkAddresses(): readonly NetworkAddress[];
  /** Asks for versions and permissions; the first call after any failure. */
  describe(signal: AbortSignal): Promise<RuntimeDescription>;
  /** What is denied or not shown now, where that is known without asking; absent: what {@link describe} answered holds for as long as the connection does. */
  missing?(): string[];
  /** All containers, stopped ones too, and the runtime's time at which they were listed. */
  inventory(signal: AbortSignal): Promise<{ at: Date; containers: RuntimeContainer[] }>;
  /** What happens from `since` (a cursor of this runtime, or a time) on, in order for each container; ends only by failure or abort. `opened` is called once events flow. */
  watch(options: { since: string | Date | undefined; opened: () => void; signal: AbortSignal }): AsyncIterable<RuntimeNews>;
  /** The last lines of a container's log, then, when following, new ones as they come. Throws `not_found` for an unknown container. */
  logs(externalId: string, options: LogOptions): AsyncIterable<LogBatch>;
  /** What all running containers use now. Who has not answered when the signal is aborted is left out. */
  stats(signal: AbortSignal): Promise<ContainerUsage[]>;
  /** Missing where swarms are not to be looked at, or not known. */
  readonly swarm?: SwarmSource;
  /** Of a cluster of Kubernetes. */
  readonly kubernetes?: KubernetesSource;
  close(): Promise<void>;
}
