import { z } from "zod";
import { agentId, pageEnd, pageOf, paging } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import {
  cluster,
  node,
  type NodeRecord,
  service,
  serviceDetail,
  type ServiceRecord,
  serviceLogs,
  task,
  type TaskRecord,
} from "./answers.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { SwarmService } from "./service.ts";

/** Tools page themselves, through all there is. */
const ALL = Number.MAX_SAFE_INTEGER;
const notSeen = z.string().nullable().describe("Why no swarm is seen, and what to do; null when one is.").meta({ ours: true });

/** An assistant asks before it knows whether there is a swarm: that there is none is an answer. */
function orNone<Answer extends object, None>(ask: () => Answer, none: None): (Answer | None) & { not_seen: string | null } {
  try {
    return { ...ask(), not_seen: null };
  } catch (error) {
    if (isServiceError(error, "conflict")) return { ...none, not_seen: error.message };
    throw error;
  }
}

/** What an assistant can ask of swarms. */
export function swarmTools(swarm: SwarmService): Tool[] {
  const short = service.pick({
    ...{ id: true, cluster_id: true, name: true, stack: true, mode: true, state: true, desired: true, running: true, completed: true },
    ...{ image: true, rollout: true, failed_tasks: true, last_error: true, problems: true },
  });
  return [
    tool({
      name: "list_swarm_services",
      title: "List Swarm services",
      description:
        "The services of Docker Swarm: how many tasks each asks for and runs, its image, its last update or rollback, and what is wrong with it.",
      input: z.strictObject({
        stack: z.string().max(255).optional().describe("Only those of this stack."),
        state: service.shape.state.optional().describe("Only those in this state."),
        search: z.string().max(255).optional().describe("Only those with this in their name, stack or image, in any case."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({ services: z.array(short), clusters: z.array(cluster), not_seen: notSeen, ...pageEnd }),
      handle({ limit, cursor, ...query }) {
        const { services, clusters, not_seen } = orNone(() => swarm.services({ ...query, limit: ALL }), { services: [], clusters: [] });
        const { page, end } = pageOf<ServiceRecord>(services, { limit, cursor });
        return { services: page.map((each) => short.parse(each)), clusters, not_seen, ...end };
      },
    }),
    tool({
      name: "get_swarm_service",
      title: "Get one Swarm service",
      description: "One service of Docker Swarm with its tasks: on which node each runs, since when, and why those before it failed.",
      input: z.strictObject({ service_id: z.string().max(64).describe("From list_swarm_services.") }),
      output: serviceDetail,
      finder: "list_swarm_services",
      handle: ({ service_id: id }) => swarm.service(id),
    }),
    tool({
      name: "get_swarm_service_logs",
      title: "Get the logs of a Swarm service",
      description:
        "The last lines of all tasks of a service of Docker Swarm in the order of time, each with its task and node; of tasks whose nodes are watched.",
      input: z.strictObject({
        service_id: z.string().max(64).describe("From list_swarm_services."),
        lines: z.number().int().min(1).max(1000).default(100).describe("At most so many of the last lines."),
        search: z.string().max(255).optional().describe("Only lines with this in them, in any case."),
      }),
      output: serviceLogs,
      finder: "list_swarm_services",
      handle: ({ service_id: id, lines, search }, { signal }) => swarm.logs(id, { lines, search }, signal),
    }),
    tool({
      name: "list_swarm_tasks",
      title: "List Swarm tasks",
      description: "The tasks of Docker Swarm, with those that are over: state, node, error and exit code.",
      input: z.strictObject({
        service_id: z.string().max(64).optional().describe("Only those of this service, by its id from list_swarm_services."),
        node_id: z.string().max(64).optional().describe("Only those on this node, by its id from list_swarm_nodes."),
        current: z.boolean().optional().describe("true: only those that are to run; false: only those that are over."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({ tasks: z.array(task), not_seen: notSeen, ...pageEnd }),
      handle({ limit, cursor, ...query }) {
        const { tasks, not_seen } = orNone(() => swarm.tasks({ ...query, limit: ALL }), { tasks: [] });
        const { page, end } = pageOf<TaskRecord>(tasks, { limit, cursor });
        return { tasks: page, not_seen, ...end };
      },
    }),
    tool({
      name: "list_swarm_nodes",
      title: "List Swarm nodes",
      description:
        "The nodes of Docker Swarm: role, availability, state, which manager leads and whether the others reach it, and the tasks on each.",
      input: z.strictObject({ agent_id: agentId, ...paging() }),
      output: z.object({ nodes: z.array(node), clusters: z.array(cluster), not_seen: notSeen, ...pageEnd }),
      handle({ limit, cursor, ...query }) {
        const { nodes, clusters, not_seen } = orNone(() => swarm.nodes({ ...query, limit: ALL }), { nodes: [], clusters: [] });
        const { page, end } = pageOf<NodeRecord>(nodes, { limit, cursor });
        return { nodes: page, clusters, not_seen, ...end };
      },
    }),
  ];
}
