import type { CertificateStatus, ContainerState, EndpointStatus, HeartbeatStatus } from "../../../events.ts";
import type { SavedContainer } from "../../../monitoring/containers/index.ts";
import { type ComponentStatus, worstOf } from "../vocabulary.ts";
import type { Look } from "./component.ts";

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

type Standing = Pick<Look, "status" | "lastObservedAt">;

/**
 * What those that are in a group, or on a host, make of its component: they are to it as components are to the page. It was observed when the one that
 * is well and was observed longest ago was.
 */
export function stateOfMembers(members: readonly Standing[]): Standing {
  const known = members.filter(({ status }) => status !== null);
  if (known.length === 0) return { status: null, lastObservedAt: null };
  const well = known.filter(({ status }) => status === "operational");
  return {
    status: worstOf(known.flatMap(({ status }) => status ?? [])),
    lastObservedAt: earliest((well.length > 0 ? well : known).map(({ lastObservedAt }) => lastObservedAt)),
  };
}

/** null when one of them is: since the start it was not observed at all. */
function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (first === null || time === null ? null : time < first ? time : first));
}
