import type { Event, EventData } from "../../events.ts";
import type { SwarmProblem } from "./problem.ts";
import type { Cluster } from "./replicas.ts";

/** An alert about a swarm that is active, as alerting has it. */
export interface ActiveSwarmAlert {
  alert: string;
  clusterId: string;
  /** The event that raised it, as far as it was kept. */
  data: Omit<EventData["swarm.alert"], "timestamp" | "active" | "ended_by">;
}

/** Something is wrong with a cluster. */
export function problemEvent(cluster: Pick<Cluster, "id" | "agentId">, problem: SwarmProblem, now: Date): Event<"swarm.alert"> {
  const { channels, tags, since, ...facts } = problem;
  return {
    type: "swarm.alert",
    data: {
      ...facts,
      agent_id: cluster.agentId,
      cluster_id: cluster.id,
      active: true,
      ended_by: null,
      alert_channels: channels,
      alert_tags: tags,
      since: since.toISOString(),
      timestamp: now.toISOString(),
    },
  };
}

/** What an alert was about is not to be seen again. */
export function removal(data: ActiveSwarmAlert["data"], now: Date): Event<"swarm.alert"> {
  return { type: "swarm.alert", data: { ...data, active: false, ended_by: "removal", timestamp: now.toISOString() } };
}

/** It is wrong no longer, or is not there any more. */
export function overEvent(cluster: Cluster, problem: SwarmProblem, now: Date): Event<"swarm.alert"> {
  const { data } = problemEvent(cluster, problem, now);
  return { type: "swarm.alert", data: { ...data, active: false, ended_by: endOf(cluster, data) } };
}

/** Of a service or a node that is not there any more, or is to be ignored, nothing was seen to be well. */
export function endOf(
  { topology }: Cluster,
  { entity_type: type, id }: Pick<EventData["swarm.alert"], "entity_type" | "id">,
): "observation" | "removal" {
  if (type === "swarm") return "observation";
  if (type === "swarm_node") return topology.nodes.some((node) => node.id === id) ? "observation" : "removal";
  const service = topology.services.find((each) => each.id === id);
  return service !== undefined && !service.settings.ignored ? "observation" : "removal";
}
