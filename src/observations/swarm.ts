/** What a host sees of the swarm that its engine belongs to; see ../observations.ts. Source: contract, section 15; Docker Engine API, Swarm. */
import type { CertificateTarget, ContainerSettings, LabelError, LabelledEndpoint } from "./labels.ts";

/**
 * How much an engine can show of its swarm: `manager` all of it; `worker` nothing but its own containers; `locked` nothing until somebody gives the
 * key; `no_quorum` nothing until enough managers are back; `denied` nothing, since a socket proxy stands before it; `inactive` is in no swarm.
 */
export const SWARM_STANDINGS = ["manager", "worker", "locked", "no_quorum", "denied", "inactive"] as const;
export type SwarmStanding = (typeof SWARM_STANDINGS)[number];

export const SERVICE_MODES = ["replicated", "global", "replicated-job", "global-job"] as const;
export type ServiceMode = (typeof SERVICE_MODES)[number];

/** As the engine names them. */
export const ROLLOUT_STATES = ["updating", "paused", "completed", "rollback_started", "rollback_paused", "rollback_completed"] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

/** The last update of a service, or its rollback. */
export interface Rollout {
  state: RolloutState;
  startedAt: Date | null;
  completedAt: Date | null;
  /** In the engine's words. */
  message: string;
}

/** A port that a service publishes: on every node by the routing mesh (`ingress`), or on the nodes of its tasks (`host`). */
export interface ServicePort {
  protocol: "tcp" | "udp" | "sctp";
  targetPort: number;
  /** null until the swarm has chosen one. */
  publishedPort: number | null;
  mode: "ingress" | "host";
}

export interface SwarmService {
  id: string;
  name: string;
  mode: ServiceMode;
  /** With its tag, without its digest. */
  image: string;
  /** `sha256:...` where the service names its image by digest, as the engine makes it do when it finds the image in a registry; else null. */
  imageDigest: string | null;
  /** How many tasks a replicated service or job asks for; null of a global one, which has one for each node that fits. */
  replicas: number | null;
  /** Which run of a job is the last that was asked for; null of other services, and from agents and engines that do not say. */
  jobIteration: number | null;
  stack: string | null;
  labels: Record<string, string>;
  /** What its labels ask for, of itself and of the containers of its tasks. */
  settings: ContainerSettings;
  labelErrors: LabelError[];
  /** What its labels ask to be checked, once for all its tasks. */
  endpoints: LabelledEndpoint[];
  /** The same of certificates to be watched. */
  certificates: CertificateTarget[];
  ports: ServicePort[];
  /** As in `node.role==manager`. */
  constraints: string[];
  /** Names of its configs; never their contents. */
  configs: string[];
  rollout: Rollout | null;
  /** Whether the swarm keeps what it was before, so that it can be rolled back; null from agents that do not say. */
  hasPrevious: boolean | null;
  createdAt: Date | null;
  updatedAt: Date | null;
}

/** In the order in which a task goes through them; the engine's words. */
export const TASK_STATES = [
  "new",
  "allocated",
  "pending",
  "assigned",
  "accepted",
  "preparing",
  "ready",
  "starting",
  "running",
  "complete",
  "shutdown",
  "failed",
  "rejected",
  "remove",
  "orphaned",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface SwarmTask {
  id: string;
  serviceId: string;
  /** From 1; null of a global service, and of the first place of a replicated job, whose places count from 0. */
  slot: number | null;
  nodeId: string | null;
  /** The run of a job that it belongs to; null of other tasks, and from agents and engines that do not say. */
  jobIteration: number | null;
  image: string;
  imageDigest: string | null;
  state: TaskState;
  /** What the swarm wants of it. */
  desiredState: TaskState;
  /** Why it failed or cannot be placed, in the engine's words; null when nothing is wrong. */
  error: string | null;
  exitCode: number | null;
  /** null until there is one. */
  containerId: string | null;
  createdAt: Date;
  /** When it came to its state. */
  since: Date;
}

export interface SwarmNode {
  id: string;
  hostname: string;
  role: "manager" | "worker";
  availability: "active" | "pause" | "drain";
  state: "ready" | "down" | "disconnected" | "unknown";
  /** In the engine's words: why it is down. */
  message: string | null;
  /** Of a manager: whether it leads, and whether the others reach it; null of a worker. */
  manager: { leader: boolean; reachability: "reachable" | "unreachable" | "unknown" } | null;
  address: string | null;
  engineVersion: string | null;
}

/** All that a manager shows of its swarm. Of tasks that are over the newest of each slot are there. */
export interface SwarmTopology {
  services: SwarmService[];
  tasks: SwarmTask[];
  nodes: SwarmNode[];
}

/** What a host sees of its swarm. */
export interface SwarmSighting {
  standing: SwarmStanding;
  /** null when it is in none, or does not say. */
  clusterId: string | null;
  /** Of this engine, in its swarm. */
  nodeId: string | null;
  /** Whether this manager leads. */
  leader: boolean;
  /** Why its services are not seen, and what to do, as a sentence; null of a manager. */
  reason: string | null;
  /** Of a manager alone. */
  topology: SwarmTopology | null;
}

/** Stands for a service where the runtime's identifier of a container does: in the keys of checks, and in what is stored of its endpoints. */
export function serviceCheckOwner(serviceId: string): string {
  return `${SERVICE_OWNER}${serviceId}`;
}

/** The service that such an identifier stands for; undefined for that of a container. */
export function serviceOfCheckOwner(externalId: string): string | undefined {
  return externalId.startsWith(SERVICE_OWNER) ? externalId.slice(SERVICE_OWNER.length) : undefined;
}

const SERVICE_OWNER = "swarm:";

/** What is checked for a service: nothing of one that is to be ignored. */
export function checksOfService({ settings, endpoints }: Pick<SwarmService, "settings" | "endpoints">): LabelledEndpoint[] {
  return settings.ignored ? [] : endpoints;
}

/** Certificates that are watched for a service: none for one that is to be ignored. */
export function certificatesOfService({ settings, certificates }: Pick<SwarmService, "settings" | "certificates">): CertificateTarget[] {
  return settings.ignored ? [] : certificates;
}

/** Endpoints of a service are checked while it asks for tasks, whether they run or not. */
export function isServiceProbed({ replicas }: Pick<SwarmService, "replicas">): boolean {
  return replicas !== 0;
}

/** What distinguishes the places of a service: the slot, or the node of a global one. */
export function placeOf({ slot, nodeId }: Pick<SwarmTask, "slot" | "nodeId">, mode: ServiceMode | undefined): number | string | null {
  return slot ?? (mode === "replicated-job" ? 0 : nodeId);
}
