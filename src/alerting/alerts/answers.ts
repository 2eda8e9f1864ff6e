import { z } from "zod";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { delivery } from "../deliveries/answers.ts";
import { alert } from "./api.ts";

/** The stages of the path, in order. `flapping` gives a verdict only while a problem is flapping. */
export const STAGES = ["settle", "maintenance", "dependency", "silence", "flapping", "routing", "dedup", "deliver"] as const;
export type StageName = (typeof STAGES)[number];

/** What a stage decided. `passed`: the next stage decides. `held`: it is evaluated again later. `stopped`: nothing is sent. */
export const VERDICTS = ["passed", "held", "stopped"] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const TRANSITIONS = ["fired", "raised", "released", "resolved"] as const;

/** An alert as the API shows it, with state that events and notifications do not carry. */
export const shownAlert = alert.extend({
  not_seen_since: timestamp.nullable().meta({
    description:
      "since when nothing shows how it is (its host, its engine or its container is away), so that it stays as it was last seen; null while it is seen, and once it is over",
  }),
  silenced_until: timestamp.nullable().meta({
    description: "until when a silence matches it, whether or not somebody was notified before; null when none does, and once it is over",
  }),
});
export type ShownAlert = z.infer<typeof shownAlert>;

export const alertList = z.object({ alerts: z.array(shownAlert), total: z.number().int(), has_more: z.boolean() });
export type AlertList = z.infer<typeof alertList>;

export const activeAlerts = z.object({
  alerts: z.array(shownAlert).meta({ description: "worst first, then the latest" }),
  counts: z.object({ critical: z.number().int(), warning: z.number().int(), info: z.number().int() }).meta({ description: "of all" }),
  next_cursor: nextCursor,
});
export type ActiveAlerts = z.infer<typeof activeAlerts>;

export const traceStage = z.object({
  evaluation: z.number().int().meta({ description: "rises with each evaluation of the alert; the stages of one evaluation share it" }),
  transition: z.enum(TRANSITIONS).meta({ description: "why the alert was evaluated; `released`: what held it back is over" }),
  stage: z.enum(STAGES),
  verdict: z.enum(VERDICTS),
  text: z.string().meta({ description: "the verdict in words" }),
  at: timestamp,
});
export type TraceStage = z.infer<typeof traceStage>;

export const alertTrace = z.object({
  alert_id: z.number().int(),
  summary: z.string().meta({ description: "why somebody was, or was not, notified: one or two sentences" }),
  stages: z.array(traceStage).meta({ description: "oldest first; at most the first and the latest evaluations are kept" }),
  deliveries: z.array(delivery),
});
export type AlertTrace = z.infer<typeof alertTrace>;

/** What an assistant gets of an alert. */
export function alertForAssistants() {
  return shownAlert
    .pick({
      id: true,
      agent_id: true,
      source: true,
      severity: true,
      status: true,
      message: true,
      cause: true,
      entity_name: true,
      suppressed_by: true,
      fired_at: true,
      last_raised_at: true,
      acknowledged_at: true,
      acknowledged_by: true,
      acknowledged_note: true,
      resolved_at: true,
      resolved_by: true,
      resolution: true,
      not_seen_since: true,
      silenced_until: true,
    })
    .extend({
      // Words of ours; and an id, unless it is none.
      event: alert.shape.event.meta({ ours: true }),
      entity_type: alert.shape.entity_type.meta({ ours: true }),
      entity_id: z.union([z.string().regex(/^(\d{1,16}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/), z.string()]),
    });
}
