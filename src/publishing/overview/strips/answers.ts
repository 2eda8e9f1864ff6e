import { z } from "zod";
import { STRIP_STATES, STRIP_STEPS } from "../../../contract/strip.ts";
import { timestamp } from "../../../http/schemas.ts";

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
