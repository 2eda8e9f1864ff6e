import { z } from "zod";
import { DAY_MS } from "../../../contract/time.ts";
import { cursorPaging } from "../../../http/cursor.ts";
import { agentFilter, timestamp, wholeNumber } from "../../../http/schemas.ts";

/** How far back changes are read: state changes are kept as long. */
export const LONGEST_MS = 90 * DAY_MS;
const MOST_CHANGES = 500;

export const pastChangesQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 90 days ago; absent: 24 hours before `to`" }),
  to: timestamp.optional().meta({ description: "not before `from`; absent: now. Give it again with each cursor" }),
  agent_id: agentFilter,
  ...cursorPaging(),
  limit: wholeNumber({ min: 1, max: MOST_CHANGES }).default(100),
});
export type PastChangesQuery = z.output<typeof pastChangesQuery>;
