import type {
  CertificateScan,
  ContainerSettings,
  ContainerSighting,
  FailureClass,
  Health,
  Port,
  RuntimeKind,
  RuntimeState,
  UpdateTrack,
} from "../../observations.ts";
import {
  ContainerHealth,
  ContainerState,
  FailureClass as WireFailureClass,
  KubernetesStanding as WireKubernetesStanding,
  OcspStatus,
  PortProtocol,
  ProjectSource,
  RuntimeKind as WireRuntimeKind,
  Severity,
  SwarmStanding as WireSwarmStanding,
  UpdateAlerts,
  UpdateTrack as WireUpdateTrack,
} from "./gen/service/agent/v1/ingest_pb.ts";
import type { KubernetesStanding } from "../../observations/kubernetes.ts";
import type { SwarmStanding } from "../../observations/swarm.ts";
import { words } from "./values.ts";

export const RUNTIMES = words<RuntimeKind, WireRuntimeKind>({
  docker: WireRuntimeKind.DOCKER,
  swarm: WireRuntimeKind.SWARM,
  kubernetes: WireRuntimeKind.KUBERNETES,
});

export const STATES = words<RuntimeState, ContainerState>({
  created: ContainerState.CREATED,
  running: ContainerState.RUNNING,
  paused: ContainerState.PAUSED,
  restarting: ContainerState.RESTARTING,
  exited: ContainerState.EXITED,
  dead: ContainerState.DEAD,
});

export const HEALTHS = words<Health, ContainerHealth>({
  healthy: ContainerHealth.HEALTHY,
  unhealthy: ContainerHealth.UNHEALTHY,
  starting: ContainerHealth.STARTING,
});

export const PROJECT_SOURCES = words<NonNullable<ContainerSighting["project"]>["source"], ProjectSource>({
  compose: ProjectSource.COMPOSE,
  stack: ProjectSource.STACK,
  namespace: ProjectSource.NAMESPACE,
});

export const PROTOCOLS = words<Port["protocol"], PortProtocol>({
  tcp: PortProtocol.TCP,
  udp: PortProtocol.UDP,
  sctp: PortProtocol.SCTP,
});

export const SEVERITIES = words<ContainerSettings["alertSeverity"], Severity>({
  critical: Severity.CRITICAL,
  warning: Severity.WARNING,
  info: Severity.INFO,
});

export const TRACKS = words<UpdateTrack, WireUpdateTrack>({
  major: WireUpdateTrack.MAJOR,
  minor: WireUpdateTrack.MINOR,
  patch: WireUpdateTrack.PATCH,
  digest: WireUpdateTrack.DIGEST,
});

export const UPDATE_ALERTS = words<ContainerSettings["updates"]["alertOn"], UpdateAlerts>({
  all: UpdateAlerts.ALL,
  critical: UpdateAlerts.CRITICAL,
  none: UpdateAlerts.NONE,
});

export const FAILURES = words<FailureClass, WireFailureClass>({
  dns: WireFailureClass.DNS,
  connect: WireFailureClass.CONNECT,
  timeout: WireFailureClass.TIMEOUT,
  tls: WireFailureClass.TLS,
  http: WireFailureClass.HTTP,
  assertion: WireFailureClass.ASSERTION,
});

export const OCSP_STATUSES = words<NonNullable<CertificateScan["ocsp"]>, OcspStatus>({
  good: OcspStatus.GOOD,
  revoked: OcspStatus.REVOKED,
  unknown: OcspStatus.UNKNOWN,
});

export const STANDINGS = words<SwarmStanding, WireSwarmStanding>({
  manager: WireSwarmStanding.MANAGER,
  worker: WireSwarmStanding.WORKER,
  locked: WireSwarmStanding.LOCKED,
  no_quorum: WireSwarmStanding.NO_QUORUM,
  denied: WireSwarmStanding.DENIED,
  inactive: WireSwarmStanding.INACTIVE,
});

export const KUBERNETES_STANDINGS = words<KubernetesStanding, WireKubernetesStanding>({
  watching: WireKubernetesStanding.WATCHING,
  standby: WireKubernetesStanding.STANDBY,
  denied: WireKubernetesStanding.DENIED,
  unreachable: WireKubernetesStanding.UNREACHABLE,
});
