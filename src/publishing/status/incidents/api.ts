import { z } from "zod";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { paging, pathId, timestamp } from "../../../http/schemas.ts";
import { line, lines } from "../../../http/texts.ts";
import { IMPACTS, INCIDENT_SEVERITIES, INCIDENT_STATUSES } from "../vocabulary.ts";

const title = line(INCIDENT_BOUNDS.titleLength);
const message = lines(INCIDENT_BOUNDS.messageLength).meta({ description: "plain text; lines are kept" });
const severity = z.enum(INCIDENT_SEVERITIES);
const status = z.enum(INCIDENT_STATUSES);
const components = z.array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)).max(INCIDENT_BOUNDS.components);
const impact = z.object({ component_id: z.number().int(), status: z.enum(IMPACTS) });
const impacts = z
  .array(z.strictObject({ component_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER), status: z.enum(IMPACTS) }))
  .max(INCIDENT_BOUNDS.components)
  .meta({ description: "what the components are while it is open, at least; of those not named its severity says it" });
const notify = z.boolean().default(true).meta({ description: "whether subscribers get a mail" });

export const incidentUpdate = z.object({
  id: z.number().int(),
  status,
  message: z.string(),
  created_at: timestamp,
  edited_at: timestamp.nullable(),
});
export type IncidentUpdateRecord = z.infer<typeof incidentUpdate>;

export const incident = z.object({
  id: z.number().int(),
  title: z.string(),
  severity,
  status,
  components: z.array(z.number().int()).meta({ description: "of the status page, by id" }),
  impacts: z.array(impact).meta({ description: "the status that each of them has at least while the incident is open" }),
  automatic: z.boolean().meta({ description: "the service opened it, and no person has taken it over" }),
  created_at: timestamp,
  updated_at: timestamp,
  resolved_at: timestamp.nullable(),
  updates: z.array(incidentUpdate).meta({ description: "oldest first" }),
});
export type IncidentRecord = z.infer<typeof incident>;

export const incidentList = z.object({
  incidents: z.array(incident).meta({ description: "those that are open, then the latest first" }),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type IncidentList = z.infer<typeof incidentList>;

export const incidentQuery = z.strictObject({
  state: z.enum(["open", "resolved", "all"]).default("all"),
  ...paging({ limit: 50, maxLimit: 100 }),
});
export type IncidentQuery = z.infer<typeof incidentQuery>;

export const incidentBody = z.strictObject({
  title,
  severity,
  message,
  status: status.default("investigating"),
  components: components.default([]),
  impacts: impacts.default([]),
  notify,
});
export type IncidentBody = z.infer<typeof incidentBody>;

/** What is left out stays as it is. Tells nobody. */
export const incidentEdit = z.strictObject({ title, severity, components, impacts }).partial();
export type IncidentEdit = z.infer<typeof incidentEdit>;

/** On a resolved incident any status but `resolved` opens it again. */
export const updateBody = z.strictObject({ status, message, notify });
export type UpdateBody = z.infer<typeof updateBody>;
export const updateEdit = z.strictObject({ message });

export const params = z.strictObject({ id: pathId });
export const updateParams = z.strictObject({ id: pathId, update_id: pathId });
