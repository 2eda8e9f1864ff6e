import { z } from "zod";
import { ALERT_BOUNDS, ALERT_STATUSES } from "../../contract/alert.ts";
import { cursorPaging } from "../../http/cursor.ts";
import { agentFilter, paging, pathId, timestamp } from "../../http/schemas.ts";
import { line, lineOrNothing, searchedText } from "../../http/texts.ts";
import { ALERT_SOURCES, type Notification, RESOLVERS, SEVERITIES, SUPPRESSIONS } from "../vocabulary.ts";

export const alert = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  source: z.enum(ALERT_SOURCES),
  event: z.string().meta({ description: "what is wrong, by its name: `restart_loop`, `consecutive_failure`, `expired`" }),
  severity: z.enum(SEVERITIES),
  status: z.enum(ALERT_STATUSES),
  message: z.string().meta({ description: "one sentence: what is wrong" }),
  cause: z.string().nullable().meta({ description: "one line: what is known of why; null when nothing is" }),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: z.string(),
  labels: z.record(z.string(), z.string()).meta({ description: "of its container, as shown" }),
  tags: z.array(z.string()),
  details: z.record(z.string(), z.unknown()),
  suppressed_by: z.enum(SUPPRESSIONS).nullable().meta({ description: "why it is recorded but not sent; null when nothing holds it back" }),
  fired_at: timestamp,
  last_raised_at: timestamp,
  acknowledged_at: timestamp.nullable(),
  acknowledged_by: z.string().nullable(),
  acknowledged_note: z.string().nullable(),
  resolved_at: timestamp.nullable(),
  resolved_by: z.string().nullable().meta({ description: "`auto`, or a name" }),
  resolution: z
    .object({ by: z.enum(RESOLVERS), reason: z.string().meta({ ours: true }) })
    .nullable()
    .meta({ description: "why it is over, in a sentence; null while it is not" }),
  url: z.string().meta({ description: "the page of this alert" }),
});
export type AlertRecord = z.infer<typeof alert>;
/** A notification of an alert, as channels get it. */
export type AlertNotification = Notification<AlertRecord>;

export const alertParams = z.strictObject({ id: pathId });

export const listQuery = z.strictObject({
  source: z.enum(ALERT_SOURCES).optional(),
  severity: z.enum(SEVERITIES).optional(),
  status: z.enum(ALERT_STATUSES).optional(),
  entity_type: searchedText(ALERT_BOUNDS.entityTypeLength).min(1).optional(),
  entity_id: searchedText(ALERT_BOUNDS.entityIdLength).min(1).optional(),
  since: timestamp.optional().meta({ description: "fired at or after" }),
  until: timestamp.optional().meta({ description: "fired before" }),
  agent_id: agentFilter,
  ...paging({ limit: 50 }),
});
export type ListQuery = z.infer<typeof listQuery>;

export const activeQuery = z.strictObject(cursorPaging());

const person = line(ALERT_BOUNDS.personLength);

export const acknowledgeBody = z.strictObject({
  acknowledged_by: person,
  note: lineOrNothing(ALERT_BOUNDS.noteLength).optional(),
});
export type AcknowledgeBody = z.infer<typeof acknowledgeBody>;

export const resolveBody = z.strictObject({
  resolved_by: person.refine((name) => name.toLowerCase() !== "auto", "Must be a name; `auto` says that the problem went away by itself"),
});
export type ResolveBody = z.infer<typeof resolveBody>;
