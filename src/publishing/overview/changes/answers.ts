import { z } from "zod";
import { nextCursor } from "../../../http/cursor.ts";
import { timestamp } from "../../../http/schemas.ts";
import { CHANGE_KINDS, EVIDENCE_KINDS } from "../../assistant/index.ts";

const recordId = z.union([z.number().int(), z.string()]);

export const pastChange = z.object({
  at: timestamp,
  kind: z.enum(CHANGE_KINDS),
  what: z.string().meta({ description: "in a sentence; names stand in `entity`" }),
  entity: z.object({
    type: z.enum(["container", "endpoint", "heartbeat", "certificate", "agent", "host", "incident", "other"]),
    id: recordId.nullable(),
    name: z.string(),
  }),
  from: z.string().nullable().meta({ description: "of another image: the one before" }),
  to: z.string().nullable(),
  record: z.object({ kind: z.enum(EVIDENCE_KINDS), id: recordId }).meta({ description: "the record that says so" }),
  agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
});

export const pastChanges = z.object({
  from: timestamp,
  to: timestamp,
  changes: z.array(pastChange).meta({
    description:
      "newest first. Of an endpoint, a heartbeat, a found update and a lost agent only the latest change is kept as such, so that what changed again after `to` is not in the list; its alerts are.",
  }),
  next_cursor: nextCursor,
});
export type PastChangeList = z.infer<typeof pastChanges>;
