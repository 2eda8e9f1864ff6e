import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";
import { FOLLOWED_TYPES } from "../vocabulary.ts";
import { status } from "./api.ts";

export const group = z.object({
  id: z.number().int(),
  name: z.string(),
  sort_order: z.number().int(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type GroupRecord = z.infer<typeof group>;
export const groupList = z.object({ groups: z.array(group), total: z.number().int() });
export type GroupList = z.infer<typeof groupList>;

export const component = z.object({
  id: z.number().int(),
  group_id: z.number().int().nullable(),
  name: z.string(),
  description: z.string().meta({ description: "shown on the page under the name" }),
  monitor_type: z.enum(FOLLOWED_TYPES),
  monitor_id: z
    .union([z.number().int(), z.string()])
    .meta({ description: "a text for a group, its name, and for an agent: `local` or the UUID; else a number" }),
  monitor_name: z.string().meta({ description: "what the monitor is called here; never on the page" }),
  agent_id: z.uuid().nullable().meta({ description: "the host of its monitor; null is the local one, and of a group" }),
  sort_order: z.number().int(),
  visible: z.boolean().meta({ description: "on the page" }),
  status,
  observed: z.boolean().meta({
    description:
      "false when it was well and its monitor was not observed for 5 minutes, or when nothing is in its group or on its host: it is `degraded`, and the page says No data",
  }),
  status_since: timestamp,
  status_override: status.nullable().meta({ description: "a status set by a user; null: the status of its monitor" }),
  monitor_status: status.meta({ description: "what it would be without override and maintenance" }),
  auto_incident: z.boolean().meta({ description: "an alert about its monitor opens an incident" }),
  needs_attention: z
    .boolean()
    .meta({ description: "its monitor is gone: it is not on the page until it gets another, or its monitor returns" }),
  uptime_90d: z.number().nullable().meta({ description: "percent, 0 to 100; null while less than a day is known" }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ComponentRecord = z.infer<typeof component>;
export const componentList = z.object({
  components: z.array(component).meta({ description: "in the order of the page" }),
  total: z.number().int(),
  page_status: status,
});
export type ComponentList = z.infer<typeof componentList>;

/** The page after that. */
export const arrangement = componentList.extend({ groups: z.array(group) });
export type Arrangement = z.infer<typeof arrangement>;
