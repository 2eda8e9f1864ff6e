import { z } from "zod";
import { agentId } from "../../../mcp/arguments.ts";
import { tool, type Tool } from "../../../mcp/tool.ts";
import { topology } from "./answers.ts";
import { TOOL_LIMITS, type TopologyService } from "./service.ts";

/** What an assistant may ask of how things hang together. */
export function topologyTools(service: TopologyService): Tool[] {
  return [
    tool({
      name: "get_topology",
      title: "Get the topology",
      description:
        "How containers hang together: what each depends on, which endpoint checks lead to it, and at which ports of its host it can be reached and by whom. " +
        `Use it to find what an outage takes down with it, or the way from outside to a container. At most ${TOOL_LIMITS.containers} containers: name a group where there are more.`,
      input: z.strictObject({
        agent_id: agentId,
        group: z.string().max(255).optional().describe("Only this group, as in list_containers."),
      }),
      output: topology,
      handle: (query) => service.topology(query, TOOL_LIMITS),
    }),
  ];
}
