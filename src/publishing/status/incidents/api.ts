import { z } from "zod";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import { paging, pathId } from "../../../http/schemas.ts";
import { line, lines } from "../../../http/texts.ts";
import { IMPACTS, INCIDENT_SEVERITIES, INCIDENT_STATUSES } from "../vocabulary.ts";

const title = line(INCIDENT_BOUNDS.titleLength);
const message = lines(INCIDENT_BOUNDS.messageLength).meta({ description: "plain text; lines are kept" });
export const severity = z.enum(INCIDENT_SEVERITIES);
export const status = z.enum(INCIDENT_STATUSES);
const components = z.array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)).max(INCIDENT_BOUNDS.components);
const impacts = z
  .array(z.strictObject({ component_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER), status: z.enum(IMPACTS) }))
  .max(INCIDENT_BOUNDS.components)
  .meta({ description: "what the components are while it is open, at least; for those not named its severity decides" });
const notify = z.boolean().default(true).meta({ description: "whether subscribers get a mail" });

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

/** What is left out stays as it is. Notifies nobody. */
export const incidentEdit = z.strictObject({ title, severity, components, impacts }).partial();
export type IncidentEdit = z.infer<typeof incidentEdit>;

/** On a resolved incident any status but `resolved` opens it again. */
export const updateBody = z.strictObject({ status, message, notify });
export type UpdateBody = z.infer<typeof updateBody>;
export const updateEdit = z.strictObject({ message });

export const params = z.strictObject({ id: pathId });
export const updateParams = z.strictObject({ id: pathId, update_id: pathId });
