import { z } from "zod";
import { agentFilter, timestamp, wholeNumber } from "../../../http/schemas.ts";

const MOST_STRIPS = 10_000;

export const stripQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 24 hours ago; absent: 24 hours ago" }),
  to: timestamp.optional().meta({ description: "at least a minute after `from`, and not in the future; absent: now" }),
  agent_id: agentFilter.meta({ description: "`local` or an agent id; absent: all hosts. Heartbeats belong to none" }),
  limit: wholeNumber({ min: 1, max: MOST_STRIPS }).default(2000),
});
export type StripQuery = z.output<typeof stripQuery>;
