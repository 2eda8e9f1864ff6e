import type { Selectable, Generated } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { AlertKey, AlertSource, AlertTransition, Resolution, Severity, Suppression } from "../vocabulary.ts";
import type { Holder, KeptAlert } from "./alert.ts";
import type { StageName, VerdictName } from "./answers.ts";

/** The columns of this feature's tables; see storage/migrations/009-alerts.ts for their meaning. */
export interface AlertTables {
  alerts: { id: Generated<number>; fired_at: number } & KeyColumns & StateColumns;
  alert_verdicts: EvaluationRow;
}

export interface KeyColumns {
  source: string;
  event: string;
  entity_type: string;
  entity_id: string;
}

export interface StateColumns {
  agent_id: string | null;
  severity: string;
  status: string;
  resolved_at: number | null;
  last_raised_at: number;
  resolved_by: string | null;
  /** JSON. */
  resolution: string | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  acknowledged_note: string | null;
  held_by: string | null;
  passed_at: number | null;
  routed_at: number | null;
  notified: number;
  evaluations: number;
  persists: number;
  entity_name: string;
  message: string;
  cause: string | null;
  parents: string;
  labels: string;
  channels: string;
  tags: string;
  details: string;
}

export interface EvaluationRow {
  alert_id: number;
  evaluation: number;
  transition: string;
  verdicts: string;
  at: number;
}

export type AlertRow = Selectable<AlertTables["alerts"]>;

/** One evaluation of an alert, as it was saved. */
export interface SavedEvaluation {
  number: number;
  transition: AlertTransition;
  verdicts: readonly { stage: StageName; verdict: VerdictName; text: string }[];
  at: Date;
}

// These columns were written from values of the declared types.
export function alertFromRow(row: AlertRow): KeptAlert {
  const heldBy = row.held_by as Holder | null;
  return {
    id: row.id,
    agentId: row.agent_id,
    source: row.source as AlertSource,
    event: row.event,
    entity: { type: row.entity_type, id: row.entity_id },
    entityName: row.entity_name,
    severity: row.severity as Severity,
    status: row.status as KeptAlert["status"],
    message: row.message,
    cause: row.cause,
    parents: JSON.parse(row.parents) as KeptAlert["parents"],
    labels: JSON.parse(row.labels) as Record<string, string>,
    channels: JSON.parse(row.channels) as string[],
    tags: JSON.parse(row.tags) as string[],
    details: JSON.parse(row.details) as Record<string, unknown>,
    firedAt: new Date(row.fired_at),
    lastRaisedAt: new Date(row.last_raised_at),
    resolvedAt: toDate(row.resolved_at),
    resolvedBy: row.resolved_by,
    resolution: row.resolution === null ? null : (JSON.parse(row.resolution) as Resolution),
    acknowledgedAt: toDate(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by,
    acknowledgedNote: row.acknowledged_note,
    suppressedBy: heldBy === "settle" || heldBy === "flapping" ? null : (heldBy as Suppression | null),
    heldBy,
    passedAt: toDate(row.passed_at),
    routedAt: toDate(row.routed_at),
    notified: row.notified === 1,
    evaluations: row.evaluations,
    persists: row.persists === 1,
  };
}

export function keyColumns({ source, event, entity }: AlertKey): KeyColumns {
  return { source, event, entity_type: entity.type, entity_id: entity.id };
}

export function stateColumns(alert: KeptAlert): StateColumns {
  return {
    // The cluster may now be shown by another host.
    agent_id: alert.agentId,
    severity: alert.severity,
    status: alert.status,
    resolved_at: alert.resolvedAt?.getTime() ?? null,
    last_raised_at: alert.lastRaisedAt.getTime(),
    resolved_by: alert.resolvedBy,
    resolution: alert.resolution === null ? null : JSON.stringify(alert.resolution),
    acknowledged_at: alert.acknowledgedAt?.getTime() ?? null,
    acknowledged_by: alert.acknowledgedBy,
    acknowledged_note: alert.acknowledgedNote,
    held_by: alert.heldBy,
    passed_at: alert.passedAt?.getTime() ?? null,
    routed_at: alert.routedAt?.getTime() ?? null,
    notified: alert.notified ? 1 : 0,
    evaluations: alert.evaluations,
    persists: alert.persists ? 1 : 0,
    entity_name: alert.entityName,
    message: alert.message,
    cause: alert.cause,
    parents: JSON.stringify(alert.parents),
    labels: JSON.stringify(alert.labels),
    channels: JSON.stringify(alert.channels),
    tags: JSON.stringify(alert.tags),
    details: JSON.stringify(alert.details),
  };
}

export function evaluationToRow(alertId: number, { number, transition, verdicts, at }: SavedEvaluation): EvaluationRow {
  return { alert_id: alertId, evaluation: number, transition, verdicts: JSON.stringify(verdicts), at: at.getTime() };
}

export function evaluationFromRow({ evaluation, transition, verdicts, at }: EvaluationRow): SavedEvaluation {
  return {
    number: evaluation,
    transition: transition as AlertTransition,
    verdicts: JSON.parse(verdicts) as SavedEvaluation["verdicts"],
    at: new Date(at),
  };
}
