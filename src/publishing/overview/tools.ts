import { z } from "zod";
import { STRIP_STATES } from "../../contract/strip.ts";
import { agentId, moment as momentArgument } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import type { Endpoints } from "../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../monitoring/heartbeats/index.ts";
import { moment, momentAlert } from "./moment/answers.ts";
import type { createMomentReader } from "./moment/service.ts";
import { STRIP_TYPES, type Strip, topology } from "./answers.ts";
import { coarser, type createStripReader } from "./strips.ts";
import { TOOL_LIMITS, type createTopologyReader } from "./topology.ts";

const MOST_ALERTS = 100;

/** What an assistant may ask of how everything was. */
export function momentTool(momentAt: ReturnType<typeof createMomentReader>): Tool {
  return tool({
    name: "get_state_at",
    title: "Get the state at a moment",
    description:
      "How every container, endpoint, heartbeat and certificate was at one moment of the last 90 days, the worst first, and which alerts were active then. " +
      "Use it for what was wrong at 09:00; what_changed shows what changed between two moments. `unknown`: nobody watched or checked it then; `stopped`: paused, or nobody expected it to run.",
    input: z.strictObject({
      at: momentArgument.describe("The moment, RFC 3339 with a zone; not in the future."),
      agent_id: agentId,
      limit: z.number().int().min(1).max(500).default(50).describe("At most so many of each list; `counts` are of all."),
    }),
    output: moment.extend({
      alerts: z.array(momentAlert.extend({ event: momentAlert.shape.event.meta({ ours: true }) })).describe(`At most ${MOST_ALERTS}.`),
    }),
    handle: (input) => momentAt(input, MOST_ALERTS),
  });
}

/** What an assistant may ask of how things hang together. */
export function topologyTool(topologyOf: ReturnType<typeof createTopologyReader>): Tool {
  return tool({
    name: "get_topology",
    title: "Get the topology",
    description:
      "How containers hang together: what each depends on, which endpoint checks lead to it, at which ports of its host it can be reached and by whom, and which networks and Kubernetes Services join them. " +
      `Use it to find what an outage takes down with it, or the path from outside to a container. At most ${TOOL_LIMITS.containers} containers: name a group where there are more.`,
    input: z.strictObject({
      agent_id: agentId,
      group: z.string().max(255).optional().describe("Only this group, as in list_containers."),
    }),
    output: topology,
    handle: (query) => topologyOf(query, TOOL_LIMITS),
  });
}

interface StripsToolParts {
  strips: ReturnType<typeof createStripReader>;
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "find">;
  heartbeats: Pick<Heartbeats, "find">;
}

/** Steps of a whole day: an hour each, so that an answer stays short. */
const STEPS = 24;
const MOST_STRIPS = 200;

/** What an assistant may ask of the last 24 hours at a glance. */
export function stripsTool({ strips, containers, endpoints, heartbeats }: StripsToolParts): Tool {
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
      from: momentArgument
        .optional()
        .describe("RFC 3339 with a zone, at most 24 hours ago. Absent: 24 hours ago. A shorter time has finer steps."),
      to: momentArgument.optional().describe("At least a minute after `from`, not in the future. Absent: now."),
      limit: z.number().int().min(1).max(MOST_STRIPS).default(50),
    }),
    output: z.object({
      from: momentArgument,
      to: momentArgument,
      step_seconds: z.number().int(),
      strips: z
        .array(
          z.object({
            type: z.enum(STRIP_TYPES),
            id: z.number().int(),
            name: z.string(),
            runs: z
              .array(z.object({ state: z.enum(STRIP_STATES), from: momentArgument, steps: z.number().int() }))
              .describe("neighbouring steps in one state. `stopped`: nobody expects it to run; `unknown`: nothing was seen"),
          }),
        )
        .describe("those that were down longest first, then degraded, then unknown"),
      left_out: z.number().int().describe("how many more there are than `limit`"),
    }),
    async handle({ limit, ...query }) {
      const { from, to, step_seconds: stepSeconds, strips: found, left_out: leftOut } = await strips({ ...query, limit });
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
