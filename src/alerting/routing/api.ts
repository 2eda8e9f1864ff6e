import { z } from "zod";
import { TRIGGER_BOUNDS } from "../../contract/trigger.ts";
import { pathId, timestamp } from "../../http/schemas.ts";
import { line, text } from "../../http/texts.ts";

/** What a simulation looks at, and how much of it. */
export const SIMULATION = { days: 30, examples: 10, alerts: 500_000, milliseconds: 5000 } as const;

const filter = text(TRIGGER_BOUNDS.filterLength);

export const trigger = z.object({
  id: z.number().int(),
  name: z.string(),
  filter_severities: z.string().meta({ description: "comma list: `critical,warning`; empty: any" }),
  filter_sources: z.string().meta({ description: "comma list: `container,endpoint`; empty: any" }),
  filter_entities: z.string().meta({
    description:
      "comma list of kind and id: `container:42,endpoint:7`, a group by its name: `group:shop`, a host: `agent:local`; empty: any",
  }),
  filter_tags: z.string().meta({ description: "comma list of tags, in any case; empty: any" }),
  enabled: z.boolean(),
  notify_on_resolve: z.boolean().meta({ description: "its channels also hear that the alert is over" }),
  channel_ids: z.array(z.number().int()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TriggerRecord = z.infer<typeof trigger>;

export const triggerList = z.object({ triggers: z.array(trigger).meta({ description: "by name" }), total: z.number().int() });
export type TriggerList = z.infer<typeof triggerList>;

export const triggerParams = z.strictObject({ id: pathId });

const name = line(TRIGGER_BOUNDS.nameLength);
const channelIds = z
  .array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER))
  .min(1, "Name at least one channel")
  .max(TRIGGER_BOUNDS.channels);
const optional = {
  filter_severities: filter.optional().meta({ examples: ["critical,warning"] }),
  filter_sources: filter.optional().meta({ examples: ["container,endpoint"] }),
  filter_entities: filter.optional().meta({ examples: ["container:42,group:shop"] }),
  filter_tags: filter.optional().meta({ examples: ["shop,payments"] }),
  enabled: z.boolean().optional(),
  notify_on_resolve: z.boolean().optional(),
};

/** Filters left out match any alert; it is enabled and tells of the end unless it says otherwise. */
export const createBody = z.strictObject({ name, ...optional, channel_ids: channelIds });
export type CreateBody = z.infer<typeof createBody>;

/** What is left out stays as it is. */
export const updateBody = z.strictObject({ name, ...optional, channel_ids: channelIds }).partial();
export type UpdateBody = z.infer<typeof updateBody>;

/** A trigger as it would be made; a name is not needed to try it, and it is tried as if it were enabled. */
export const simulateBody = z.strictObject({ trigger: z.strictObject({ name: name.optional(), ...optional, channel_ids: channelIds }) });
export type SimulateBody = z.infer<typeof simulateBody>;

export const simulation = z.object({
  period_days: z.number().int(),
  matched: z.number().int().meta({ description: "alerts that fit its filters" }),
  held_back: z
    .number()
    .int()
    .meta({ description: "of these, recorded but not sent when they ended or until now: silence, maintenance, dependency" }),
  deliveries: z
    .number()
    .int()
    .meta({ description: "messages that its channels would have got; rising severity and escalation not counted" }),
  per_day: z
    .array(z.object({ date: z.iso.date().meta({ description: "UTC" }), deliveries: z.number().int() }))
    .meta({ description: "every day of the period, oldest first" }),
  by_channel: z.array(
    z.object({
      channel_id: z.number().int(),
      name: z.string(),
      enabled: z.boolean().meta({ description: "a disabled channel gets nothing" }),
      fired: z.number().int(),
      resolved: z.number().int(),
    }),
  ),
  examples: z
    .array(z.object({ alert_id: z.number().int(), message: z.string(), fired_at: timestamp }))
    .meta({ description: "the first 10 that fit" }),
  complete: z.boolean().meta({ description: "false: there was more than could be looked at; the counts are of a part" }),
});
export type Simulation = z.infer<typeof simulation>;
