import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { severity, channelId } from "./api.ts";

/** Source: specification, Escalation run; contract, section 11. */
export const RUN_STATUSES = [
  "active",
  "paused_by_maintenance",
  "paused_by_silence",
  "exhausted",
  "stopped_by_ack",
  "stopped_by_resolution",
  "stopped_by_edition_downgrade",
  "stopped_by_policy_deletion",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const DELIVERY_KINDS = ["level", "closure", "exhausted"] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export const DELIVERY_STATUSES = ["pending", "sent", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const filters = z.object({
  severities: z.array(severity).meta({ description: "empty: any" }),
  tags: z.array(z.string()).meta({ description: "an alert that carries one of them; empty: any" }),
});

const level = z.object({
  delay_seconds: z.number().int().meta({ description: "from the start of the run" }),
  channel_ids: z.array(channelId),
});

export const policy = z.object({
  id: z.number().int(),
  name: z.string(),
  active: z.boolean(),
  filters,
  levels: z.array(level),
  created_at: timestamp,
  updated_at: timestamp,
});
export type PolicyRecord = z.infer<typeof policy>;

export const policyList = z.object({ policies: z.array(policy), total: z.number().int() });
export type PolicyList = z.infer<typeof policyList>;

export const overlaps = z.object({
  overlapping: z.array(
    z.object({
      policy_id: z.number().int(),
      policy_name: z.string(),
      shared_severities: z.array(severity).meta({ description: "an alert of one of them starts both" }),
      shared_tags: z.array(z.string()).meta({ description: "an alert that carries one of them starts both; empty: neither asks for tags" }),
      shared_channels: z.array(channelId).meta({ description: "notified by both" }),
    }),
  ),
});
export type Overlaps = z.infer<typeof overlaps>;

export const delivery = z.object({
  id: z.number().int(),
  channel_id: channelId,
  channel_name: z.string().nullable().meta({ description: "null when the channel is gone" }),
  level_index: z.number().int().meta({ description: "counted from 0; of a closure and of the last notice, the level that was reached" }),
  kind: z.enum(DELIVERY_KINDS).meta({ description: "`closure`: acknowledged or resolved; `exhausted`: nobody reacted" }),
  status: z.enum(DELIVERY_STATUSES),
  error: z.string().nullable(),
  created_at: timestamp,
  settled_at: timestamp.nullable().meta({ description: "when it was sent, or given up" }),
});
export type EscalationDeliveryRecord = z.infer<typeof delivery>;

export const run = z.object({
  id: z.number().int(),
  policy_id: z.number().int(),
  alert_id: z.number().int(),
  status: z.enum(RUN_STATUSES),
  level_index: z.number().int().meta({ description: "levels that were dispatched: the index of the next one" }),
  started_at: timestamp,
  paused_at: timestamp.nullable().meta({ description: "null when it is not paused" }),
  paused_seconds: z.number().meta({ description: "by how much pauses that are over put off the levels" }),
  ended_at: timestamp.nullable(),
  next_level_at: timestamp.nullable().meta({ description: "null while paused, after the last level, and when it is over" }),
  exhausts_at: timestamp.nullable().meta({ description: "after the last level: when it is given up unless somebody reacts" }),
  policy: z.object({ name: z.string(), filters, levels: z.array(level) }).meta({ description: "as it was when the run began" }),
});
export type RunRecord = z.infer<typeof run>;

export const runDetail = run.extend({ deliveries: z.array(delivery).meta({ description: "in the order in which they were made" }) });
export type RunDetail = z.infer<typeof runDetail>;

export const runsOfAlert = z.object({ runs: z.array(run), total: z.number().int() });
export type RunsOfAlert = z.infer<typeof runsOfAlert>;

export const runPage = z.object({ runs: z.array(run), total: z.number().int(), has_more: z.boolean() });
export type RunPage = z.infer<typeof runPage>;
