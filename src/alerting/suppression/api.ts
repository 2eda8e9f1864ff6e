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

/** An alert matches when it meets all of them. */
export const matchers = z
  .strictObject(matcherFields)
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: "Name at least one: source, entity_id, severity, ...",
    params: DECLARED,
  })
  .meta({ minProperties: 1 });
export type MatchersBody = z.infer<typeof matchers>;

export const silenceParams = z.strictObject({ id: pathId });

export const silenceQuery = z.strictObject({
  all: queryFlag.default(false).meta({ description: "also those that are over; absent: those in force and those yet to begin" }),
});

/** Without `starts_at` it starts now. */
export const silenceBody = z.strictObject({
  reason: line(SUPPRESSION_BOUNDS.reasonLength),
  starts_at: timestamp.optional(),
  ends_at: timestamp,
  matchers,
  created_by: line(SUPPRESSION_BOUNDS.personLength).nullish(),
});
export type SilenceBody = z.infer<typeof silenceBody>;

export const previewBody = z.strictObject({ matchers });

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

/** `components` and `entities` must not both be empty. */
export const maintenanceBody = z.strictObject({ ...windowHead, ...windowRest });
export type MaintenanceBody = z.infer<typeof maintenanceBody>;

/** Omitted fields stay as they are. An `ends_at` in the past ends a running window now. */
export const maintenanceUpdate = z.strictObject({ ...windowHead, ...windowRest }).partial();
export type MaintenanceUpdate = z.infer<typeof maintenanceUpdate>;
