import type { CertificateStatus, ContainerState, EndpointStatus, HeartbeatStatus } from "../../../events.ts";
import type { SavedContainer } from "../../../monitoring/containers/index.ts";
import type { ComponentStatus } from "../vocabulary.ts";

/** What a monitor makes of its component; null: it is not observed. Source: specification, Component status; contract, sections 8 and 19. */

const BY_STATE: Record<ContainerState, ComponentStatus> = {
  running: "operational",
  completed: "operational",
  created: "operational",
  paused: "major_outage",
  restarting: "major_outage",
  exited: "major_outage",
  dead: "major_outage",
};

const BY_ENDPOINT: Record<EndpointStatus, ComponentStatus | null> = {
  up: "operational",
  unknown: null,
  degraded: "degraded",
  down: "major_outage",
};

const BY_HEARTBEAT: Record<HeartbeatStatus, ComponentStatus> = {
  new: "operational",
  up: "operational",
  started: "operational",
  paused: "operational",
  down: "major_outage",
};

const BY_CERTIFICATE: Record<CertificateStatus, ComponentStatus | null> = {
  valid: "operational",
  unknown: null,
  expiring: "degraded",
  unreachable: "degraded",
  expired: "major_outage",
  chain_invalid: "major_outage",
};

export function statusOfContainer({ state, health }: Pick<SavedContainer, "state" | "health">): ComponentStatus {
  return state === "running" && health === "unhealthy" ? "degraded" : BY_STATE[state];
}

export function statusOfEndpoint(status: EndpointStatus): ComponentStatus | null {
  return BY_ENDPOINT[status];
}

export function statusOfHeartbeat(status: HeartbeatStatus): ComponentStatus {
  return BY_HEARTBEAT[status];
}

export function statusOfCertificate(status: CertificateStatus): ComponentStatus | null {
  return BY_CERTIFICATE[status];
}
