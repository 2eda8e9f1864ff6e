import type { Selectable, Generated } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { Notification } from "../vocabulary.ts";
import type { DeliveryKind, DeliveryStatus, RunStatus } from "./answers.ts";
import type { Filters, Level, Plan, Policy } from "./policy.ts";
import { dueAt, type Run } from "./run.ts";

/** The columns of this feature's tables; see storage/migrations/011-escalation.ts for their meaning. */
export interface EscalationTables {
  escalation_policies: PolicyRow;
  escalation_runs: RunRow;
  escalation_deliveries: DeliveryRow;
}

interface PolicyRow extends PolicyColumns {
  id: Generated<number>;
}

interface PolicyColumns {
  name: string;
  active: number;
  active_before: number | null;
  filters: string;
  levels: string;
  created_at: number;
  updated_at: number;
}

interface RunRow extends RunKey, RunState {
  id: Generated<number>;
  version: number;
}

/** The columns of a run that never change. */
export interface RunKey {
  alert_id: number;
  policy_id: number;
  plan: string;
  started_at: number;
}

export interface RunState {
  status: string;
  level_index: number;
  paused_at: number | null;
  paused_until: number | null;
  paused_ms: number;
  next_at: number | null;
  due_at: number | null;
  ended_at: number | null;
}

interface DeliveryRow extends DeliveryColumns {
  id: Generated<number>;
}

export interface DeliveryColumns {
  run_id: number;
  delivery_id: number | null;
  channel_id: number;
  level_index: number;
  kind: string;
  event: string;
  status: string;
  error: string | null;
  created_at: number;
  settled_at: number | null;
}

/** A run as it was read; `version` shows whether it has changed since. */
export interface SavedRun extends Run {
  version: number;
}

/** A message of a run to one channel. */
export interface RunDelivery {
  runId: number;
  /** The id in the outbox; null when it was never written there. */
  deliveryId: number | null;
  channelId: number;
  levelIndex: number;
  kind: DeliveryKind;
  event: Notification["event"];
  status: DeliveryStatus;
  error: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

export type SavedRunDelivery = RunDelivery & { id: number };

export function policyToRow({ name, active, activeBefore, filters, levels, createdAt, updatedAt }: Omit<Policy, "id">): PolicyColumns {
  return {
    name,
    active: Number(active),
    active_before: activeBefore === null ? null : Number(activeBefore),
    filters: JSON.stringify(filters),
    levels: JSON.stringify(levels),
    created_at: createdAt.getTime(),
    updated_at: updatedAt.getTime(),
  };
}

export function policyFromRow(row: Selectable<PolicyRow>): Policy {
  return {
    id: row.id,
    name: row.name,
    active: row.active === 1,
    activeBefore: row.active_before === null ? null : row.active_before === 1,
    // These columns were written by policyToRow, from values of these types.
    filters: JSON.parse(row.filters) as Filters,
    levels: JSON.parse(row.levels) as Level[],
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

export function runToKey({ alertId, policyId, plan, startedAt }: Omit<Run, "id">): RunKey {
  return { alert_id: alertId, policy_id: policyId, plan: JSON.stringify(plan), started_at: startedAt.getTime() };
}

export function runToState(run: Omit<Run, "id">): RunState {
  return {
    status: run.status,
    level_index: run.levelIndex,
    paused_at: run.pausedAt?.getTime() ?? null,
    paused_until: run.pausedUntil?.getTime() ?? null,
    paused_ms: run.pausedMs,
    next_at: run.nextAt?.getTime() ?? null,
    due_at: dueAt(run)?.getTime() ?? null,
    ended_at: run.endedAt?.getTime() ?? null,
  };
}

export function runFromRow(row: Selectable<RunRow>): SavedRun {
  return {
    id: row.id,
    alertId: row.alert_id,
    policyId: row.policy_id,
    // These columns were written by runToKey and runToState, from values of these types.
    plan: JSON.parse(row.plan) as Plan,
    status: row.status as RunStatus,
    levelIndex: row.level_index,
    startedAt: new Date(row.started_at),
    pausedAt: toDate(row.paused_at),
    pausedUntil: toDate(row.paused_until),
    pausedMs: row.paused_ms,
    nextAt: toDate(row.next_at),
    endedAt: toDate(row.ended_at),
    version: row.version,
  };
}

export function deliveryToRow(delivery: RunDelivery): DeliveryColumns {
  return {
    run_id: delivery.runId,
    delivery_id: delivery.deliveryId,
    channel_id: delivery.channelId,
    level_index: delivery.levelIndex,
    kind: delivery.kind,
    event: delivery.event,
    status: delivery.status,
    error: delivery.error,
    created_at: delivery.createdAt.getTime(),
    settled_at: delivery.settledAt?.getTime() ?? null,
  };
}

export function deliveryFromRow(row: Selectable<DeliveryRow>): SavedRunDelivery {
  return {
    id: row.id,
    runId: row.run_id,
    deliveryId: row.delivery_id,
    channelId: row.channel_id,
    levelIndex: row.level_index,
    // These columns were written by deliveryToRow, from values of these types.
    kind: row.kind as DeliveryKind,
    event: row.event as Notification["event"],
    status: row.status as DeliveryStatus,
    error: row.error,
    createdAt: new Date(row.created_at),
    settledAt: toDate(row.settled_at),
  };
}
