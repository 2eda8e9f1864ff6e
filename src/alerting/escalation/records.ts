import { wireTime } from "../../contract/time.ts";
import type { Event, EventData } from "../../events.ts";
import type { EscalationDeliveryRecord, Overlaps, PolicyRecord, RunDetail, RunRecord } from "./answers.ts";
import type { Filters, Level, Overlap, Policy } from "./policy.ts";
import type { SavedRunDelivery } from "./rows.ts";
import type { Run, Step } from "./run.ts";

/** A policy in its JSON form. */
export function policyRecord(policy: Policy): PolicyRecord {
  const { id, name, active, createdAt, updatedAt } = policy;
  return { id, name, active, ...planRecord(policy), created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

function planRecord({ filters, levels }: { filters: Filters; levels: readonly Level[] }): Pick<PolicyRecord, "filters" | "levels"> {
  return {
    filters: { severities: [...filters.severities], tags: [...filters.tags] },
    levels: levels.map(({ delaySeconds, channelIds }) => ({ delay_seconds: delaySeconds, channel_ids: [...channelIds] })),
  };
}

export function overlapRecord({ policy, sharedSeverities, sharedTags, sharedChannels }: Overlap): Overlaps["overlapping"][number] {
  return {
    policy_id: policy.id,
    policy_name: policy.name,
    shared_severities: sharedSeverities,
    shared_tags: sharedTags,
    shared_channels: sharedChannels,
  };
}

export function runRecord(run: Run): RunRecord {
  const { plan, status, levelIndex } = run;
  const next = status === "active" ? wireTime(run.nextAt) : null;
  const isAfterLast = levelIndex >= plan.levels.length;
  return {
    id: run.id,
    policy_id: run.policyId,
    alert_id: run.alertId,
    status,
    level_index: levelIndex,
    started_at: run.startedAt.toISOString(),
    paused_at: wireTime(run.pausedAt),
    paused_seconds: Math.max(run.pausedMs, 0) / 1000,
    ended_at: wireTime(run.endedAt),
    next_level_at: isAfterLast ? null : next,
    exhausts_at: isAfterLast ? next : null,
    policy: { name: plan.name, ...planRecord(plan) },
  };
}

export function runDetailOf(run: Run, deliveries: readonly SavedRunDelivery[], channelName: (id: number) => string | undefined): RunDetail {
  return { ...runRecord(run), deliveries: deliveries.map((each) => deliveryRecord(each, channelName(each.channelId))) };
}

function deliveryRecord(delivery: SavedRunDelivery, channelName: string | undefined): EscalationDeliveryRecord {
  return {
    id: delivery.id,
    channel_id: delivery.channelId,
    channel_name: channelName ?? null,
    level_index: delivery.levelIndex,
    kind: delivery.kind,
    status: delivery.status,
    error: delivery.error,
    created_at: delivery.createdAt.toISOString(),
    settled_at: wireTime(delivery.settledAt),
  };
}

export function policyEvent(type: "policy.created" | "policy.updated" | "policy.deleted", policy: Policy, at: Date): Event {
  const { id, name, active } = policy;
  return { type, data: { id, agent_id: null, name, active, timestamp: at.toISOString() } };
}

/** What the event of a run needs in addition: the host of its alert, and the time. */
interface EvaluationContext {
  agentId: string | null;
  at: Date;
}

export function runEvent(type: "escalation.started" | "escalation.stopped", run: Run, context: EvaluationContext): Event {
  return { type, data: about(run, context) };
}

/** undefined when there is nothing to publish. */
export function stepEvent(step: Step, context: EvaluationContext): Event | undefined {
  const data = about(step.next, context);
  if (step.what === "put_off") return undefined;
  return step.what === "level"
    ? { type: "escalation.level", data: { ...data, level: step.levelIndex } }
    : { type: `escalation.${step.what}`, data };
}

function about(run: Run, { agentId, at }: EvaluationContext): EventData["escalation.started"] {
  return {
    id: run.id,
    agent_id: agentId,
    name: run.plan.name,
    policy_id: run.policyId,
    alert_id: run.alertId,
    status: run.status,
    level_index: run.levelIndex,
    levels: run.plan.levels.length,
    next_level_at: runRecord(run).next_level_at,
    timestamp: at.toISOString(),
  };
}
