import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";

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
  notify_on_resolve: z.boolean().meta({ description: "its channels are also notified when the alert resolves" }),
  channel_ids: z.array(z.number().int()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type TriggerRecord = z.infer<typeof trigger>;

export const triggerList = z.object({ triggers: z.array(trigger).meta({ description: "by name" }), total: z.number().int() });
export type TriggerList = z.infer<typeof triggerList>;

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
