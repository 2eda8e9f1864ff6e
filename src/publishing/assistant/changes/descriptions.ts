import type { Alerting } from "../../../alerting/index.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { SavedEndpoint } from "../../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { UpdateComparisons, Updates } from "../../../monitoring/updates/index.ts";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { StatusPage } from "../../status/index.ts";
import { ENTITY_TYPES, evidence, ownWord } from "../evidence.ts";
import type { DescribedChange } from "./change.ts";

type ChangeOf<Past> = Past extends PastChanges<infer Change> ? Change : never;
export type AlertChange = ChangeOf<Alerting["past"]["raised"]>;
export type Transition = ChangeOf<Containers["past"]["transitions"]>;
export type Removal = ChangeOf<Containers["past"]["removals"]>;
export type ImageChange = ChangeOf<UpdateComparisons["past"]>;
export type CertificateChange = ChangeOf<Certificates["past"]>;
export type IncidentChange = ChangeOf<StatusPage["past"]>;
export type FoundUpdate = ReturnType<Updates["found"]>[number];
export type Heartbeat = ReturnType<Heartbeats["present"]>[number];

/** An agent, as far as its own changes go. Times as RFC 3339. */
export interface AgentChanges {
  id: string;
  label: string;
  status: string;
  connection_state: string;
  last_seen_at: string;
  enrolled_at: string;
  revoked_at: string | null;
}

const PLAIN = { from: null, to: null };

const ALERT_WORDS = { raised: "was raised", resolved: "is over", acknowledged: "was acknowledged" } as const;

export function describeAlert(what: keyof typeof ALERT_WORDS, change: AlertChange): DescribedChange {
  const name = [change.source, ownWord(change.event)].filter((word) => word !== undefined).join(" ");
  return {
    ...PLAIN,
    what: `The alert "${name}" (${change.severity}) ${ALERT_WORDS[what]}.`,
    entity: { ...entityOf(change.entityType, change.entityId), name: change.entityName },
    evidence: evidence("alert", change.id),
    agentId: change.agentId,
  };
}

export function describeTransition({ id, containerId, name, agentId, ...step }: Transition): DescribedChange {
  return {
    ...PLAIN,
    what: `${stepText(step)}${step.replayed ? " Its host was cut off then, and reported it later." : ""}`,
    entity: { type: "container", id: containerId, name },
    evidence: evidence("transition", id),
    agentId,
  };
}

type Step = Pick<Transition, "previousState" | "newState" | "previousHealth" | "newHealth" | "exitCode" | "oomKilled">;

function stepText({ previousState, newState, previousHealth, newHealth, exitCode, oomKilled }: Step): string {
  if (previousState === null) return `The container appeared: ${newState}.`;
  if (previousState === newState) return `Its health went from ${previousHealth ?? "none"} to ${newHealth ?? "none"}.`;
  const code = exitCode === null ? "" : ` with exit code ${exitCode}`;
  return `It went from ${previousState} to ${newState}${code}${oomKilled ? ", killed for memory (OOM)" : ""}.`;
}

export function describeRemoval({ containerId, name, agentId }: Removal): DescribedChange {
  return {
    ...PLAIN,
    what: "The container was removed from its host.",
    entity: { type: "container", id: containerId, name },
    evidence: evidence("container", containerId),
    agentId,
  };
}

export function describeImage(change: ImageChange, containerId: number | null): DescribedChange {
  return {
    what: change.image === change.previousImage ? "Another image of the same name runs." : "Another image runs.",
    from: change.previousImage,
    to: change.image,
    entity: { type: "container", id: containerId, name: change.name },
    evidence: evidence("image_change", change.id),
    agentId: change.agentId,
  };
}

export function describeEndpoint({ id, name, agentId, state }: SavedEndpoint): DescribedChange {
  const code = state.status === "down" && state.lastHttpStatus !== null ? `; its last answer was HTTP status ${state.lastHttpStatus}` : "";
  return {
    ...PLAIN,
    what: `The endpoint became ${state.status}${code}.`,
    entity: { type: "endpoint", id, name },
    evidence: evidence("endpoint", id, state.statusSince.toISOString()),
    agentId,
  };
}

export function describeHeartbeat({ id, name, agentId, status, reason, statusChangedAt }: Heartbeat): DescribedChange {
  return {
    ...PLAIN,
    what: `The heartbeat became ${status}${reason === null ? "" : ` (${reason.replaceAll("_", " ")})`}.`,
    entity: { type: "heartbeat", id, name },
    evidence: evidence("heartbeat", id, statusChangedAt.toISOString()),
    agentId,
  };
}

export function describeCertificate({ id, certificateId, domain, agentId, shown, before }: CertificateChange): DescribedChange {
  return {
    ...PLAIN,
    what: certificateText(shown, before),
    entity: { type: "certificate", id: certificateId, name: domain },
    evidence: evidence("certificate_check", id),
    agentId,
  };
}

function certificateText(shown: CertificateChange["shown"], before: CertificateChange["before"]): string {
  const ends = shown.leaf === null ? "" : ` It ends on ${day(shown.leaf.expiresAt)}`;
  if (before === null) return `A certificate was seen for the first time.${ends === "" ? "" : `${ends}.`}`;
  if (shown.leaf?.fingerprintSha256 === before.leaf?.fingerprintSha256)
    return "The same certificate was shown with another chain, or judged otherwise.";
  const previously = before.leaf === null ? "" : ` instead of ${day(before.leaf.expiresAt)}`;
  return `Another certificate was shown.${ends === "" ? "" : `${ends}${previously}.`}`;
}

export function describeUpdate({ container, type }: FoundUpdate): DescribedChange {
  return {
    ...PLAIN,
    what: type === "digest" ? "Newer content was found for its tag." : `A newer image was found (${type}).`,
    entity: { type: "container", id: container.id, name: container.name },
    evidence: evidence("update", container.id),
    agentId: container.agentId,
  };
}

export function describeAgent(what: string, { id, label }: AgentChanges): DescribedChange {
  return { ...PLAIN, what, entity: { type: "agent", id, name: label }, evidence: evidence("agent", id), agentId: id };
}

export function describeIncident({ id, incidentId, title, status, automatic }: IncidentChange): DescribedChange {
  return {
    ...PLAIN,
    what: `An update on the status page says: ${status}.${automatic ? " It was opened for alerts, by the program." : ""}`,
    entity: { type: "incident", id: incidentId, name: title },
    evidence: evidence("incident_update", id),
    agentId: null,
  };
}

function entityOf(type: string, id: string): Omit<DescribedChange["entity"], "name"> {
  const known = ENTITY_TYPES.find((each) => each === type) ?? "other";
  if (known === "agent" || known === "host") return { type: known, id };
  return { type: known, id: /^\d{1,15}$/.test(id) ? Number(id) : null };
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
