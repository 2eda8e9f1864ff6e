import { z } from "zod";
import { ESCALATION_BOUNDS } from "../../contract/escalation.ts";
import { pathId, paging, timestamp } from "../../http/schemas.ts";
import { line, lineWithoutComma } from "../../http/texts.ts";
import { SEVERITIES } from "../vocabulary.ts";

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

const severity = z.enum(SEVERITIES);
const channelId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

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
      shared_channels: z.array(channelId).meta({ description: "told by both" }),
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

export const byId = z.strictObject({ id: pathId });
export const pageQuery = z.strictObject(paging({ limit: 50, maxLimit: 200 }));
export type PageQuery = z.infer<typeof pageQuery>;

const tagInput = lineWithoutComma(ESCALATION_BOUNDS.tagLength);

const levelInput = z.strictObject({
  delay_seconds: z.number().int().min(ESCALATION_BOUNDS.delaySeconds.min).max(ESCALATION_BOUNDS.delaySeconds.max),
  channel_ids: z.array(channelId).min(1, "Name at least one channel").max(ESCALATION_BOUNDS.channelsOfLevel),
});

/** Delays count from the start of the run, so that each must be longer than the one before. */
const levelInputs = z
  .array(levelInput)
  .min(1, "A policy has at least one level")
  .max(ESCALATION_BOUNDS.levels)
  .superRefine((levels, context) => {
    levels.forEach((each, index) => {
      const before = levels[index - 1];
      if (before === undefined || each.delay_seconds > before.delay_seconds) return;
      const message = `Must be more than the ${before.delay_seconds} seconds of the level before: delays count from the start of the run`;
      context.addIssue({ code: "custom", path: [index, "delay_seconds"], message });
    });
  });

const settings = {
  name: line(ESCALATION_BOUNDS.nameLength),
  active: z.boolean(),
  filters: z
    .strictObject({ severities: z.array(severity).max(SEVERITIES.length), tags: z.array(tagInput).max(ESCALATION_BOUNDS.tags) })
    .partial(),
  levels: levelInputs,
};

/** Without `active` it is, without filters it matches every alert. */
export const createBody = z.strictObject(settings).partial().required({ name: true, levels: true });
export type CreateBody = z.infer<typeof createBody>;

/** What is left out stays as it is. */
export const updateBody = z.strictObject(settings).partial();
export type UpdateBody = z.infer<typeof updateBody>;

export const activeBody = z.strictObject({ active: z.boolean() });

/** A policy as it would be saved. */
export const probeBody = z
  .strictObject({
    ...settings,
    policy_id: channelId.meta({ description: "the policy that is being changed: not compared with itself" }),
  })
  .partial()
  .required({ levels: true });
export type ProbeBody = z.infer<typeof probeBody>;
