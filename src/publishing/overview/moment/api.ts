import { z } from "zod";
import { agentFilter, timestamp, wholeNumber } from "../../../http/schemas.ts";

const MOST_CONTAINERS = 10_000;

export const momentQuery = z.strictObject({
  at: timestamp.meta({ description: "not in the future, and at most 90 days ago" }),
  agent_id: agentFilter,
  limit: wholeNumber({ min: 1, max: MOST_CONTAINERS }).default(2000),
});
export type MomentQuery = z.output<typeof momentQuery>;
