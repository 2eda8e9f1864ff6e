import { z } from "zod";
import { agentId, moment as momentArgument } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { moment, momentAlert } from "./moment/answers.ts";
import type { MomentService } from "./moment/service.ts";
import { topology } from "./answers.ts";
import { TOOL_LIMITS, type TopologyService } from "./topology.ts";

const MOST_ALERTS = 100;

/** What an assistant may ask of how everything was. */
export function momentTool(service: MomentService): Tool {
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
    handle: (input) => service.at(input, MOST_ALERTS),
  });
}

/** What an assistant may ask of how things hang together. */
export function topologyTool(service: TopologyService): Tool {
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
    handle: (query) => service.topology(query, TOOL_LIMITS),
  });
}
