import { isNamed, readEntity, scopeFault } from "../scope.ts";
import type { Alert, AlertSource, Entity, Severity } from "../vocabulary.ts";
import { type MatchersBody, SILENCE_STATUSES, type SilenceStatus } from "./api.ts";
import { SCOPES } from "../../contract/scope.ts";
import type { Fault } from "../../platform/errors.ts";
import { type Period, standing } from "./period.ts";

/** Which alerts a silence matches; undefined is any. */
export interface Matchers {
  source: AlertSource | undefined;
  entityType: string | undefined;
  entityId: string | undefined;
  severity: Severity | undefined;
  event: string | undefined;
  /** null is the local host. */
  agentId: string | null | undefined;
  label: { key: string; value: string | undefined } | undefined;
}

/** Keeps alerts from being delivered for a while; they are still recorded. */
export interface Silence extends Period {
  id: number;
  reason: string;
  matchers: Matchers;
  createdBy: string | null;
  createdAt: Date;
  cancelledAt: Date | null;
  /** The status that was last published. */
  published: SilenceStatus;
}

const BY_STANDING = { before: "pending", within: "active", over: "expired" } as const;

/** The present status. It never returns to an earlier one, even if the clock is set back. */
export function silenceStatus(silence: Silence, now: Date): SilenceStatus {
  const byClock = silence.cancelledAt === null ? BY_STANDING[standing(silence, now)] : "cancelled";
  return SILENCE_STATUSES.indexOf(byClock) > SILENCE_STATUSES.indexOf(silence.published) ? byClock : silence.published;
}

export function isOver(status: SilenceStatus): boolean {
  return status === "expired" || status === "cancelled";
}

/** Whether an alert that is about these subjects meets all matchers. */
export function matches(matchers: Matchers, alert: Alert, subjects: readonly Entity[]): boolean {
  const { source, entityType, entityId, severity, event, agentId, label } = matchers;
  return (
    (source === undefined || source === alert.source) &&
    (severity === undefined || severity === alert.severity) &&
    (event === undefined || event === alert.event) &&
    isNamed({ type: entityType, id: entityId }, alert, subjects) &&
    (agentId === undefined || agentId === alert.agentId) &&
    (label === undefined || hasLabel(alert.labels, label))
  );
}

/** What is wrong with the matchers of a body, with the path of the JSON field. */
export function matcherFaults({ entity_type: type, entity_id: id }: MatchersBody): Fault[] {
  const message = scopeFault({ type, id });
  return message === undefined ? [] : [{ path: "matchers.entity_id", message }];
}

function hasLabel(labels: Alert["labels"], { key, value }: { key: string; value: string | undefined }): boolean {
  return Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);
}

/** Whether they name a host, or a part of one. */
export function namesHost({ agentId, entityType, entityId }: Matchers, host: string): boolean {
  return agentId === host || (entityType === SCOPES.host && entityId === host);
}

/** Parses the matchers of a body. The first `=` of a label ends its key. */
export function readMatchers({ source, entity_type, entity_id, severity, event, agent_id, label }: MatchersBody): Matchers {
  return {
    source,
    entityType: entity_type,
    entityId: entity_type === undefined || entity_id === undefined ? entity_id : readEntity({ type: entity_type, id: entity_id }).id,
    severity,
    event,
    agentId: agent_id === "local" ? null : agent_id?.toLowerCase(),
    label: label === undefined ? undefined : readLabel(label),
  };
}

/** The matchers in their JSON form. */
export function matchersRecord({ source, entityType, entityId, severity, event, agentId, label }: Matchers): MatchersBody {
  return {
    ...(source === undefined ? {} : { source }),
    ...(entityType === undefined ? {} : { entity_type: entityType }),
    ...(entityId === undefined ? {} : { entity_id: entityId }),
    ...(severity === undefined ? {} : { severity }),
    ...(event === undefined ? {} : { event }),
    ...(agentId === undefined ? {} : { agent_id: agentId ?? "local" }),
    ...(label === undefined ? {} : { label: label.value === undefined ? label.key : `${label.key}=${label.value}` }),
  };
}

function readLabel(text: string): { key: string; value: string | undefined } {
  const at = text.indexOf("=");
  return at === -1 ? { key: text, value: undefined } : { key: text.slice(0, at).trimEnd(), value: text.slice(at + 1).trimStart() };
}
