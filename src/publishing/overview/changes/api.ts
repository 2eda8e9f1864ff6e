import { z } from "zod";
import { DAY_MS } from "../../../contract/time.ts";
import { cursorPaging, nextCursor } from "../../../http/cursor.ts";
import { agentFilter, timestamp, wholeNumber } from "../../../http/schemas.ts";
import { CHANGE_KINDS, EVIDENCE_KINDS } from "../../assistant/index.ts";

/** How far back changes are read: state changes are kept as long. */
export const LONGEST_MS = 90 * DAY_MS;
const MOST_CHANGES = 500;

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

export const pastChangesQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 90 days ago; absent: 24 hours before `to`" }),
  to: timestamp.optional().meta({ description: "not before `from`; absent: now. Give it again with each cursor" }),
  agent_id: agentFilter,
  ...cursorPaging(),
  limit: wholeNumber({ min: 1, max: MOST_CHANGES }).default(100),
});
export type PastChangesQuery = z.output<typeof pastChangesQuery>;
