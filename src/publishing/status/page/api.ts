import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";
import { COMPONENT_STATUSES, INCIDENT_SEVERITIES, INCIDENT_STATUSES } from "../vocabulary.ts";

const status = z.enum(COMPONENT_STATUSES);
const observed = z.boolean().meta({
  description: "false when it was well and was not observed for 5 minutes: `degraded` then means No data",
});
const allObserved = z.boolean().meta({ description: "false when the status is `degraded` only since data is missing" });

const publicComponent = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  status,
  observed,
  since: timestamp.meta({ description: "when it took this status" }),
  tracked_since: timestamp.meta({ description: "when it was put on the page: nothing is known of the time before" }),
  uptime: z
    .number()
    .nullable()
    .meta({ description: "percent of the last 90 days; null when not known now, of less than a day, or not shown" }),
  uptime_90d: z
    .array(z.number().nullable())
    .meta({ description: "percent of each day, oldest first, today last; null when nothing is known; empty when not shown" }),
});

export const publicIncident = z.object({
  id: z.number().int(),
  title: z.string(),
  severity: z.enum(INCIDENT_SEVERITIES),
  status: z.enum(INCIDENT_STATUSES),
  components: z.array(z.number().int()),
  created_at: timestamp,
  updated_at: timestamp,
  resolved_at: timestamp.nullable(),
  updates: z
    .array(z.object({ id: z.number().int(), status: z.enum(INCIDENT_STATUSES), message: z.string(), created_at: timestamp }))
    .meta({ description: "oldest first" }),
});
export type PublicIncidentRecord = z.infer<typeof publicIncident>;

export const publicMaintenance = z.object({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  active: z.boolean(),
  components: z.array(z.number().int()),
});
export type PublicMaintenanceRecord = z.infer<typeof publicMaintenance>;

/** Source: contract, section 8. */
export const publicStatus = z.object({
  status,
  observed: allObserved,
  message: z.string().meta({ description: "the state of everything in a sentence" }),
  updated_at: timestamp.meta({ description: "of the last change of anything in this answer" }),
  title: z.string(),
  groups: z
    .array(
      z.object({
        id: z.number().int().nullable().meta({ description: "null: those without a group" }),
        name: z.string(),
        status,
        observed: allObserved,
        components: z.array(publicComponent),
      }),
    )
    .meta({ description: "in the order of the page" }),
  incidents: z.array(publicIncident).meta({ description: "open ones, then those resolved within 15 days" }),
  maintenance: z.array(publicMaintenance).meta({ description: "running ones, then those to come" }),
});
export type PublicStatus = z.infer<typeof publicStatus>;
