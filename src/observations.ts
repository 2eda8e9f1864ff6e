/**
 * What hosts say. A collector turns what a runtime shows into observations; they reach the server in-process or from an
 * agent, and from there on only `agentId` shows the difference.
 */
import type { KubernetesSighting } from "./observations/kubernetes.ts";
import type { CertificateTarget, ContainerSettings, LabelError, LabelledEndpoint } from "./observations/labels.ts";
import type { SwarmSighting } from "./observations/swarm.ts";

export {
  type CertificateTarget,
  type ContainerSettings,
  DEFAULT_UPDATE_SETTINGS,
  type EndpointCheck,
  type HttpCheck,
  type LabelError,
  type LabelledEndpoint,
  type Severity,
  type UpdateSettings,
  type UpdateTrack,
} from "./observations/labels.ts";

/** A container's state as its runtime reports it. `completed` is not here: it is a judgment, made by monitoring. */
export type RuntimeState = "created" | "running" | "paused" | "restarting" | "exited" | "dead";
export type Health = "healthy" | "unhealthy" | "starting";
export type RuntimeKind = "docker" | "swarm" | "kubernetes";

/** A published or exposed port. `hostIp` and `hostPort` are null while it is only exposed. */
export interface Port {
  containerPort: number;
  protocol: "tcp" | "udp" | "sctp";
  hostIp: string | null;
  hostPort: number | null;
}

export type FailureClass = "dns" | "connect" | "timeout" | "tls" | "http" | "assertion";

/** What one check of an endpoint showed. */
export interface CheckResult {
  success: boolean;
  /** False when the host itself had no network or no resolver: that says nothing of the endpoint. */
  observed: boolean;
  /** null when there was no answer. */
  responseTimeMs: number | null;
  httpStatus: number | null;
  failureClass: FailureClass | null;
  /** A sentence, without credentials; null after a success. */
  error: string | null;
  /** Of the peer of an https endpoint; null for others. */
  certificate: { trusted: boolean; expiresAt: Date | null } | null;
}

/** A certificate of a chain, as it was sent. `error` names what is wrong with it. */
export interface ChainLink {
  subject: string;
  issuer: string;
  notBefore: Date;
  expiresAt: Date;
  error: string | null;
}

/** What a TLS peer showed. Source: contract, section 4, Check. */
export interface CertificateScan {
  /** Why there is no certificate, as a sentence; null when there is. */
  error: string | null;
  leaf: {
    subject: string;
    issuer: string;
    issuerOrg: string | null;
    sans: string[];
    serialNumber: string;
    fingerprintSha256: string;
    keyType: string;
    signatureAlgorithm: string;
    notBefore: Date;
    expiresAt: Date;
  } | null;
  /** As sent, the leaf first, then what of our own roots completes it. */
  chain: ChainLink[];
  chainValid: boolean;
  /** Everything that is wrong with the chain, in sentences that name the certificate; null when nothing is. */
  chainError: string | null;
  hostnameMatch: boolean | null;
  /** By the response stapled to the handshake; null when none was. */
  ocsp: "good" | "revoked" | "unknown" | null;
}

/** How a host's connection to its runtime is. Source: contract, section 14. */
export interface RuntimeConnection {
  runtime: RuntimeKind;
  connected: boolean;
  /** null until it was reached. */
  version: string | null;
  apiVersion: string | null;
  /** Why it is not connected, and what to do. */
  error: string | null;
  /** Since when it is, or is not, connected, by the clock of the host. */
  since: Date;
}

/** Of the output of a health check, so many characters are kept. */
export const HEALTH_OUTPUT_CHARACTERS = 1000;

/** One failed run of a container's health check. */
export interface HealthFailure {
  /** Negative when it was not run to its end. */
  exitCode: number;
  /** The last lines that it printed, at most {@link HEALTH_OUTPUT_CHARACTERS} characters, with secrets masked. */
  output: string;
  endedAt: Date;
}

/** One container as it was at `observedAt` of its observation. */
export interface ContainerSighting {
  /** The runtime's own identifier. */
  externalId: string;
  name: string;
  image: string;
  /** `sha256:...` of the image's repository digest, else of its id; null when unknown. */
  imageDigest: string | null;
  /** `sha256:...` by which the runtime itself knows the image; null when unknown. */
  imageId: string | null;
  /** What the image was made for, as `linux/arm/v7`; null when unknown. */
  imagePlatform: string | null;
  state: RuntimeState;
  /** null when no health check is defined. */
  health: Health | null;
  /** The last failed run of its health check, of those that the runtime keeps; null when none is known, and of what has ended. */
  healthFailure: HealthFailure | null;
  /** null while it has never ended. */
  exitCode: number | null;
  oomKilled: boolean;
  /** The runtime's own words on why it could not start or ended. */
  errorDetail: string | null;
  /** Someone asked the runtime to stop or kill it just before it ended. */
  stopRequested: boolean;
  /** Restarts by policy since the container was created. */
  restartCount: number;
  /** Who it belongs to, by the runtime's own grouping. */
  project: { name: string; source: "compose" | "stack" | "namespace" } | null;
  /** The compose service, or the like. */
  unit: string | null;
  labels: Record<string, string>;
  settings: ContainerSettings;
  labelErrors: LabelError[];
  /** What its labels ask to be checked. */
  endpoints: LabelledEndpoint[];
  certificates: CertificateTarget[];
  ports: Port[];
  networkMode: string | null;
  privileged: boolean;
  runtime: RuntimeKind;
  createdAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** What a host itself uses. null is what could not be read, never 0. Source: specification, Host resource sample. */
export interface HostReading {
  hostname: string;
  os: string | null;
  cpuCount: number;
  /** Of all CPUs, 0..100, since the reading before. */
  cpuPercent: number | null;
  /** Without what the kernel would give back at once. */
  memoryBytes: number | null;
  memoryTotalBytes: number | null;
  /** Of the file system that holds the root. */
  diskBytes: number | null;
  diskTotalBytes: number | null;
  /** Over 1, 5 and 15 minutes. */
  load: [number, number, number] | null;
  uptimeSeconds: number | null;
}

/** What containers use: the columns of {@link ContainerReadings}. Source: contract, section 5, Snapshot. */
export const READING_COLUMNS = [
  "cpuPercent",
  "cpuCoresUsed",
  "memoryBytes",
  "memoryLimitBytes",
  "networkRxBytes",
  "networkTxBytes",
  "diskReadBytes",
  "diskWriteBytes",
  "networkRxBytesPerSecond",
  "networkTxBytesPerSecond",
  "diskReadBytesPerSecond",
  "diskWriteBytesPerSecond",
] as const;
export type ReadingColumn = (typeof READING_COLUMNS)[number];

/**
 * What all running containers of a host use at one tick, by columns: the value at a place belongs to the container at that place
 * of `externalIds`; NaN is what the host cannot measure. CPU in percent of the allocated CPUs (0..100) and in cores, counters since the
 * start of the container, rates since the reading before.
 */
export interface ContainerReadings {
  externalIds: readonly string[];
  columns: Readonly<Record<ReadingColumn, Float64Array>>;
}

/**
 * One thing that a host saw. `observedAt` is the runtime's clock, not ours.
 *
 * - `container.inventory`: all containers of the host, stopped ones too; who is missing is gone, except for the ids in `unread`, which an agent listed
 *   in a form that cannot be read.
 * - `container.seen`: one container after something happened to it.
 * - `container.gone`: it was removed.
 * - `container.last_words`: the end of its log, read when it ended at `endedAt`.
 * - `endpoint.checked`: what a check of one endpoint showed, begun at `observedAt`. `key` is {@link labelEndpointKey} or {@link standaloneEndpointKey}.
 * - `host.sampled`: what the host itself uses at a tick.
 * - `resources.sampled`: what its running containers use at a tick; who is not in it was not running, or could not be read.
 *   `observedAt` is the tick: a whole multiple of {@link TICK_MS} on the host's clock. Comes after `host.sampled` of the same tick.
 * - `certificate.scanned`: what a TLS peer showed to a host that looks by itself at what its labels and https endpoints lead to; the
 *   end of the scan is `observedAt`. Its containers and endpoints show who asks for the target.
 * - `runtime.changed`: the connection to the runtime came, went, or is missing for another reason. `observedAt` is the host's clock.
 * - `swarm.observed`: what it sees of the swarm that its engine belongs to, all of it: on connect, after each change, and every minute.
 * - `kubernetes.observed`: what it sees of its cluster: all of it on connect, then what changed, and every 15 seconds that it still sees it.
 * - `host.watched`: the runtime was reachable and watched from `since` until `observedAt`; what lies between two of these was not observed.
 */
export type Observation =
  | { kind: "container.inventory"; observedAt: Date; containers: ContainerSighting[]; unread?: readonly string[] }
  | { kind: "container.seen"; observedAt: Date; container: ContainerSighting }
  | { kind: "container.gone"; observedAt: Date; externalId: string }
  | { kind: "container.last_words"; observedAt: Date; externalId: string; endedAt: Date; snippet: string }
  | { kind: "host.watched"; observedAt: Date; since: Date }
  | { kind: "endpoint.checked"; observedAt: Date; key: string; result: CheckResult }
  | { kind: "certificate.scanned"; observedAt: Date; target: CertificateTarget; scan: CertificateScan }
  | { kind: "runtime.changed"; observedAt: Date; status: RuntimeConnection }
  | { kind: "host.sampled"; observedAt: Date; host: HostReading }
  | { kind: "swarm.observed"; observedAt: Date; swarm: SwarmSighting }
  | { kind: "kubernetes.observed"; observedAt: Date; kubernetes: KubernetesSighting }
  | { kind: "resources.sampled"; observedAt: Date; readings: ContainerReadings };

/** Between two readings of resources. Source: specification, Limits. */
export const TICK_MS = 10_000;

/** Where a host's observations go. Keeps their order; never throws: what cannot be saved now is kept and tried again, within a bound. */
export interface ObservationSink {
  /** `agentId` null is the local host. */
  observe(agentId: string | null, observation: Observation): void;
}

/** Names the endpoint of a label on its host. */
export function labelEndpointKey(externalId: string, labelKey: string): string {
  return `${externalId}/${labelKey}`;
}

/** Names an endpoint that a user made, by its id. */
export function standaloneEndpointKey(id: number): string {
  return `standalone/${id}`;
}

/** Distinguishes one TLS peer from all others of a host. */
export function certificateTargetKey({ domain, port, serverName }: CertificateTarget): string {
  return `${domain} ${port} ${serverName}`;
}

/** Between two scans of a certificate by an agent. Source: specification, Agent stream events. */
export const CERTIFICATE_SCAN_MS = 60_000;
/** Certificates that are watched for one agent. */
export const MOST_CERTIFICATES = 1_000;
/** Containers of an agent's host. */
export const MOST_CONTAINERS = 10_000;
/** Endpoints that labels on an agent's host ask for, or asked for within the time for which they are kept. */
export const MOST_LABEL_ENDPOINTS = 10_000;

/** What the labels of a container ask for: nothing of one that is to be ignored. */
export function askedOf({
  settings,
  endpoints,
  certificates,
}: Pick<ContainerSighting, "settings" | "endpoints" | "certificates">): Pick<ContainerSighting, "endpoints" | "certificates"> {
  return settings.ignored ? { endpoints: [], certificates: [] } : { endpoints, certificates };
}

/** Endpoints of a container are checked while it runs; their certificates are watched for as long as it is there. */
export function isProbed(state: RuntimeState | "completed"): boolean {
  return state === "running";
}
