import { z } from "zod";
import { STRIP_STATES } from "../../contract/strip.ts";
import { agentId, moment } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import type { Endpoints } from "../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../monitoring/heartbeats/index.ts";
import { STRIP_TYPES, type Strip } from "./answers.ts";
import { coarser, type StripService } from "./strips.ts";

interface Parts {
  strips: StripService;
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "find">;
  heartbeats: Pick<Heartbeats, "find">;
}

/** Steps of a whole day: an hour each, so that an answer stays short. */
const STEPS = 24;
const MOST = 200;

/** What an assistant may ask of the last 24 hours at a glance. */
export function stripsTool({ strips, containers, endpoints, heartbeats }: Parts): Tool {
  const nameOf = ({ type, id }: Strip): string | undefined => {
    if (type === "container") return containers.present.get(id)?.name;
    return (type === "endpoint" ? endpoints : heartbeats).find(id)?.name;
  };
  return tool({
    name: "get_strips",
    title: "Get the last 24 hours at a glance",
    description:
      "How every container, endpoint and heartbeat was over the last 24 hours, those that were down longest first, as the wall of the web app shows it: one state for each step of time, the worst in it. " +
      "Use it for what had trouble today, and when; get_state_at for one moment, what_changed for every single change.",
    input: z.strictObject({
      agent_id: agentId,
      from: moment.optional().describe("RFC 3339 with a zone, at most 24 hours ago. Absent: 24 hours ago. A shorter time has finer steps."),
      to: moment.optional().describe("At least a minute after `from`, not in the future. Absent: now."),
      limit: z.number().int().min(1).max(MOST).default(50),
    }),
    output: z.object({
      from: moment,
      to: moment,
      step_seconds: z.number().int(),
      strips: z
        .array(
          z.object({
            type: z.enum(STRIP_TYPES),
            id: z.number().int(),
            name: z.string(),
            runs: z
              .array(z.object({ state: z.enum(STRIP_STATES), from: moment, steps: z.number().int() }))
              .describe("neighbouring steps in one state. `stopped`: nobody expects it to run; `unknown`: nothing was seen"),
          }),
        )
        .describe("those that were down longest first, then degraded, then unknown"),
      left_out: z.number().int().describe("how many more there are than `limit`"),
    }),
    async handle({ limit, ...query }) {
      const { from, to, step_seconds: stepSeconds, strips: found, left_out: leftOut } = await strips.list({ ...query, limit });
      const total = found[0]?.runs.reduce((sum, { steps }) => sum + steps, 0) ?? STEPS;
      const factor = Math.max(1, Math.ceil(total / STEPS));
      const startOf = (step: number): string => new Date(Date.parse(from) + step * factor * stepSeconds * 1000).toISOString();
      const named = found.flatMap((strip) => {
        const name = nameOf(strip);
        // Gone since the strips were read.
        if (name === undefined) return [];
        let step = 0;
        const runs = coarser(strip.runs, factor).map(({ state, steps }) => {
          const run = { state, from: startOf(step), steps };
          step += steps;
          return run;
        });
        return [{ type: strip.type, id: strip.id, name, runs }];
      });
      return { from, to, step_seconds: stepSeconds * factor, strips: named, left_out: leftOut };
    },
  });
}
