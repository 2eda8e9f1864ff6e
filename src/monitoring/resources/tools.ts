import { z } from "zod";
import { RANGE_NAMES, type Range } from "../../contract/ranges.ts";
import { timestamp } from "../../http/schemas.ts";
import { agentId, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { container } from "../containers/api.ts";
import type { ContainerService } from "../containers/index.ts";
import { topQuery } from "./api.ts";
import { history, snapshot, type Summary, summary, thresholds, top } from "./answers.ts";
import { digestOf, eachMetric } from "./digest.ts";
import { hostOf, type ResourceService } from "./service.ts";

const MAX_POINTS = 120;
const BREACHES = 20;

/** What an assistant may ask of resources. */
export function resourceTools(service: ResourceService, containers: Pick<ContainerService, "find">): Tool[] {
  return [getResources(service, containers), getTopConsumers(service)];
}

function getResources(service: ResourceService, containers: Pick<ContainerService, "find">): Tool {
  const number = z.number().nullable();
  const figures = z.object({
    min: number,
    mean: number,
    max: number,
    max_at: timestamp.nullable().describe("When the step with the maximum began."),
  });
  const point = z.object({
    timestamp,
    cpu_percent_max: number,
    memory_bytes_max: number,
    ...eachMetric(() => number),
  });
  const past = z.object({
    range: z.enum(RANGE_NAMES),
    measured_percent: z
      .number()
      .describe("In how much of the range something was measured: a container uses nothing while it does not run."),
    summary: z.object(eachMetric(() => figures)).describe("Over the whole range; null where nothing was measured."),
    step_seconds: z.number().int().describe("How long each point is."),
    points: z
      .array(point)
      .describe("Means, oldest first, and maxima of CPU and memory. Points in which nothing was measured are left out."),
    breaches: history.shape.breaches.describe(`The last ${BREACHES} times that a threshold was exceeded within the range, oldest first.`),
    breaches_total: z.number().int(),
  });

  async function ofContainer(id: number, range: Range, points: number) {
    const [{ name, agentId: host, state }, now, set, whole] = await Promise.all([
      containers.find(id),
      service.current(id),
      service.thresholds(id),
      service.history(id, range),
    ]);
    const { container_id: _, ...use } = now;
    const { container_id: __, ...limits } = set;
    return {
      container: { id, name, agent_id: host, state, now: use, thresholds: limits },
      host: null,
      history: {
        range,
        ...digestOf(whole, points),
        breaches: whole.breaches.slice(-BREACHES),
        breaches_total: whole.breaches.length,
      },
    };
  }

  /** Says where hosts are found, since the finder of this tool finds containers. */
  function hostSummary(host: string | null): Summary {
    try {
      return service.summary(host);
    } catch (error) {
      if (isServiceError(error, "not_found"))
        throw new ServiceError("not_found", `${error.message} list_agents shows which hosts there are.`);
      throw error;
    }
  }

  return tool({
    name: "get_resources",
    title: "Get the resource usage of a container or a host",
    description:
      "CPU, memory, network and disk of one container, now and over a range, with the thresholds that apply to it (its own, or those of its group or host: " +
      "`source`) and when they were exceeded; or of one host, now, with the " +
      "sums of its containers. Read `summary` before `points`. To find who uses most on a host use get_top_consumers.",
    finder: "list_containers",
    input: z.strictObject({
      container_id: recordId.optional().describe("A container's `id` in list_containers. Leave it out to ask for a host."),
      agent_id: agentId.describe(
        "A host: `local`, or an agent's id from list_agents. Absent, without container_id: the host of the server.",
      ),
      range: z
        .enum(RANGE_NAMES)
        .optional()
        .describe("How far back, of a container only; 1h when absent. More than 6h needs the Pro edition."),
      points: z
        .number()
        .int()
        .min(0)
        .max(MAX_POINTS)
        .default(30)
        .describe("At most so many points of the range in addition to its summary; 0: the summary alone."),
    }),
    output: z.object({
      container: container
        .pick({ id: true, name: true, agent_id: true, state: true })
        .extend({ now: snapshot.omit({ container_id: true }), thresholds: thresholds.omit({ container_id: true }) })
        .nullable(),
      host: summary.nullable(),
      history: past.nullable().describe("null for a host: of hosts only what they use now is known."),
    }),
    handle({ container_id: id, agent_id: host, range, points }) {
      if (id !== undefined && host !== undefined)
        throw new ServiceError("invalid_request", "container_id and agent_id exclude each other: name a container or a host.");
      if (id !== undefined) return ofContainer(id, range ?? "1h", points);
      if (range !== undefined)
        throw new ServiceError("invalid_request", "No history is kept of hosts: leave range out, or name a container with container_id.");
      return { container: null, host: hostSummary(hostOf(host) ?? null), history: null };
    },
  });
}

function getTopConsumers(service: ResourceService): Tool {
  return tool({
    name: "get_top_consumers",
    title: "Get the containers that use most",
    description:
      "The running containers that use most CPU or memory now, of one host or of all, with the change since this time yesterday; `by: growth` ranks by that " +
      "change, which answers what has eaten the memory since yesterday. For how one of them got there use get_resources with its container_id.",
    finder: "list_agents",
    input: z.strictObject({
      sort: topQuery.shape.sort.describe("By CPU cores used, or by bytes of memory."),
      by: topQuery.shape.by.describe(
        "By what they use now, or by how much it has grown since this time yesterday, which needs the Pro edition.",
      ),
      limit: z.number().int().min(1).max(100).default(10).describe("At most so many containers."),
      agent_id: agentId,
    }),
    output: top,
    handle({ sort, by, limit, agent_id: host }) {
      const agent = hostOf(host);
      // An unknown host has no consumers, which would read like an idle one.
      if (agent !== undefined) service.summary(agent);
      return service.top({ sort, by, limit, agentId: agent });
    },
  });
}
