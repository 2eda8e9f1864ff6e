import { z } from "zod";
import { STRIP_STATES, STRIP_STEPS } from "../../../contract/strip.ts";
import { agentFilter, timestamp, wholeNumber } from "../../../http/schemas.ts";

const MOST_STRIPS = 10_000;

export const STRIP_TYPES = ["container", "endpoint", "heartbeat"] as const;

const run = z.object({ state: z.enum(STRIP_STATES), steps: z.number().int().min(1).max(STRIP_STEPS) });

export const strip = z.object({
  type: z.enum(STRIP_TYPES),
  id: z.number().int(),
  runs: z.array(run).min(1).max(STRIP_STEPS).meta({
    description:
      "from `from` on, without gaps. A step is as bad as the worst moment in it; `unknown`: nothing was seen in it; `stopped`: nobody expects it to run",
  }),
});
export type Strip = z.infer<typeof strip>;

export const stripList = z.object({
  from: timestamp,
  to: timestamp.meta({ description: "now, or the end that was asked for; the last step may reach beyond it" }),
  step_seconds: z.number().int().meta({ description: "900 for a whole day" }),
  strips: z.array(strip).meta({ description: "those that were down longest first, then degraded, then unknown" }),
  left_out: z.number().int().meta({ description: "how many more there are than `limit`" }),
});
export type StripList = z.infer<typeof stripList>;

export const stripQuery = z.strictObject({
  from: timestamp.optional().meta({ description: "at most 24 hours ago; absent: 24 hours ago" }),
  to: timestamp.optional().meta({ description: "at least a minute after `from`, and not in the future; absent: now" }),
  agent_id: agentFilter.meta({ description: "`local` or an agent id; absent: all hosts. Heartbeats belong to none" }),
  limit: wholeNumber({ min: 1, max: MOST_STRIPS }).default(2000),
});
export type StripQuery = z.output<typeof stripQuery>;
