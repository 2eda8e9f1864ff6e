import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import { SILENCE_STATUSES, WINDOW_STATUSES } from "./api.ts";

export const matchersRecord = z.object({
  source: z.enum(ALERT_SOURCES).optional(),
  entity_type: z.string().optional(),
  entity_id: z.string().optional(),
  severity: z.enum(SEVERITIES).optional(),
  event: z.string().optional(),
  agent_id: z.string().optional(),
  label: z.string().optional(),
});

export const silence = z.object({
  id: z.number().int(),
  reason: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  matchers: matchersRecord.meta({ description: "an alert is silenced when all of them are met" }),
  created_by: z.string().nullable(),
  created_at: timestamp,
  cancelled_at: timestamp.nullable(),
  status: z.enum(SILENCE_STATUSES),
});
export type SilenceRecord = z.infer<typeof silence>;

export const silenceList = z.object({ silences: z.array(silence), total: z.number().int() });
export type SilenceList = z.infer<typeof silenceList>;

export const previewedAlert = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  source: z.enum(ALERT_SOURCES),
  event: z.string(),
  severity: z.enum(SEVERITIES),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: z.string(),
  message: z.string(),
  fired_at: timestamp,
});
export type PreviewedAlert = z.infer<typeof previewedAlert>;

export const preview = z.object({
  alerts: z.array(previewedAlert).meta({ description: "the active alerts that such a silence would match; at most 100 of them" }),
  total: z.number().int().meta({ description: "how many it would match" }),
});
export type Preview = z.infer<typeof preview>;

export const entity = z.object({
  entity_type: z.string().meta({ description: "container, endpoint, heartbeat, certificate, agent, ..." }),
  entity_id: z.string().meta({
    description:
      "its identifier as text; `agent` with `local` or a UUID is all of that host, `group` with its name all that is in it at the time",
  }),
});

export const maintenanceWindow = z.object({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  components: z.array(z.number().int()).meta({ description: "of the status page, by id" }),
  entities: z.array(entity).meta({ description: "monitored things that it covers directly, each with what depends on it" }),
  status: z.enum(WINDOW_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
});
export type MaintenanceRecord = z.infer<typeof maintenanceWindow>;

export const maintenanceList = z.object({
  maintenance: z
    .array(maintenanceWindow)
    .meta({ description: "running ones, then the next to begin, then those that are over, latest first" }),
  total: z.number().int(),
});
export type MaintenanceList = z.infer<typeof maintenanceList>;
