import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";
import { IMPACTS } from "../vocabulary.ts";
import { severity, status } from "./api.ts";

const impact = z.object({ component_id: z.number().int(), status: z.enum(IMPACTS) });

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
