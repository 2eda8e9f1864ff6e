import { z } from "zod";
import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import { pathId, queryFlag, timestamp } from "../../http/schemas.ts";
import { DECLARED, line, lineOrNothing, text } from "../../http/texts.ts";
import { ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";

export const SILENCE_STATUSES = ["pending", "active", "expired", "cancelled"] as const;
export type SilenceStatus = (typeof SILENCE_STATUSES)[number];

export const WINDOW_STATUSES = ["scheduled", "active", "ended"] as const;
export type WindowStatus = (typeof WINDOW_STATUSES)[number];

const agentId = z.union([z.literal("local"), z.uuid()], "Must be `local` or the UUID of an agent");
const label = line(SUPPRESSION_BOUNDS.labelLength).refine((given) => !given.startsWith("="), "Must be `key` or `key=value`");

const SCOPE_DESCRIPTION =
  "of the monitored thing, as text; of the type `agent` `local` or a UUID, for all of that host; of the type `group` its name, for all that is in it at the time";

const matcherFields = {
  source: z.enum(ALERT_SOURCES).optional(),
  entity_type: line(SUPPRESSION_BOUNDS.entityTypeLength).optional(),
  entity_id: line(SUPPRESSION_BOUNDS.entityIdLength).optional().meta({ description: SCOPE_DESCRIPTION }),
  severity: z.enum(SEVERITIES).optional(),
  event: line(SUPPRESSION_BOUNDS.eventLength).optional(),
  agent_id: agentId.optional().meta({ description: "`local`, or an agent's UUID" }),
  label: label.optional().meta({ description: "`key`: it has that label; `key=value`: with exactly that value" }),
};

/** An alert is matched when all of them are met. */
export const matchers = z
  .strictObject(matcherFields)
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: "Name at least one: source, entity_id, severity, ...",
    params: DECLARED,
  })
  .meta({ minProperties: 1 });
export type MatchersBody = z.infer<typeof matchers>;

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

export const silenceParams = z.strictObject({ id: pathId });

export const silenceQuery = z.strictObject({
  all: queryFlag.default(false).meta({ description: "also those that are over; absent: those in force and those yet to begin" }),
});

/** `starts_at` left out is now. */
export const silenceBody = z.strictObject({
  reason: line(SUPPRESSION_BOUNDS.reasonLength),
  starts_at: timestamp.optional(),
  ends_at: timestamp,
  matchers,
  created_by: line(SUPPRESSION_BOUNDS.personLength).nullish(),
});
export type SilenceBody = z.infer<typeof silenceBody>;

export const previewBody = z.strictObject({ matchers });

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

export const maintenanceParams = z.strictObject({ id: pathId });

const entityBody = z.strictObject({
  entity_type: text(SUPPRESSION_BOUNDS.entityTypeLength).regex(
    /^[a-z][a-z_]*$/,
    "Must be a kind of monitored thing: container, endpoint, heartbeat, certificate, agent, group, ...",
  ),
  entity_id: line(SUPPRESSION_BOUNDS.entityIdLength).meta({ description: SCOPE_DESCRIPTION }),
});

const windowHead = { title: line(SUPPRESSION_BOUNDS.titleLength), starts_at: timestamp, ends_at: timestamp };
const windowRest = {
  description: lineOrNothing(SUPPRESSION_BOUNDS.descriptionLength).optional(),
  components: z.array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)).max(SUPPRESSION_BOUNDS.components).optional(),
  entities: z.array(entityBody).max(SUPPRESSION_BOUNDS.entities).optional(),
};

/** At least one of `components` and `entities` names something. */
export const maintenanceBody = z.strictObject({ ...windowHead, ...windowRest });
export type MaintenanceBody = z.infer<typeof maintenanceBody>;

/** What is left out stays as it is. An `ends_at` that has passed ends a running window now. */
export const maintenanceUpdate = z.strictObject({ ...windowHead, ...windowRest }).partial();
export type MaintenanceUpdate = z.infer<typeof maintenanceUpdate>;
