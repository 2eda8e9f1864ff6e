import type { Event, EventData } from "../../events.ts";
import type { Policy } from "./policy.ts";
import { runRecord } from "./records.ts";
import type { Run, Step } from "./run.ts";

export function policyEvent(type: "policy.created" | "policy.updated" | "policy.deleted", policy: Policy, at: Date): Event {
  const { id, name, active } = policy;
  return { type, data: { id, agent_id: null, name, active, timestamp: at.toISOString() } };
}

/** What is known where an event is made besides the run: the host of its alert, and the time. */
export interface EvaluationContext {
  agentId: string | null;
  at: Date;
}

export function runEvent(type: "escalation.started" | "escalation.stopped", run: Run, context: EvaluationContext): Event {
  return { type, data: about(run, context) };
}

/** undefined: nothing that anybody must hear of. */
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
