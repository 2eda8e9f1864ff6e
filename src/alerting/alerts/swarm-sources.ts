import type { EventData } from "../../events.ts";
import type { Entity, Problem } from "../vocabulary.ts";
import { clear, raise, type Signal, severityOf } from "./signals.ts";

/** What is wrong with a service, a node or the managers of a swarm. Source: contract, section 15. */
export function swarmAlert(data: EventData["swarm.alert"]): Signal[] {
  const { alert, entity_type: type, id, active, ended_by: endedBy } = data;
  const key = { source: "swarm", event: alert, entity: { type, id } } as const;
  if (!active)
    return [clear(key, endedBy === "removal" ? { by: "removal", reason: REMOVED[type] } : { by: "observation", reason: ENDS[alert] })];
  const { agent_id: agentId, name, severity, message, cause, node_ids: nodeIds, labels, alert_channels: channels, alert_tags: tags } = data;
  const { cluster_id, stack, since } = data;
  const problem: Problem = {
    ...key,
    agentId,
    entityName: name,
    severity: severityOf(labels, severity),
    message,
    cause,
    parents: nodeIds.map(nodeEntity),
    labels,
    channels,
    tags,
    details: { cluster_id, stack, since, entity_type: type },
  };
  return [raise(problem)];
}

/** What tasks of a swarm depend on. */
export function nodeEntity(id: string): Entity {
  return { type: "swarm_node", id };
}

const REMOVED: Record<EventData["swarm.alert"]["entity_type"], string> = {
  swarm_service: "The service was removed, or is to be ignored.",
  swarm_node: "The node was removed from its swarm.",
  swarm: "It is not watched as this swarm any more.",
};

const ENDS: Record<EventData["swarm.alert"]["alert"], string> = {
  replica_unhealthy: "It runs as many tasks as it asks for.",
  crash_loop: "No task has failed for ten minutes, and it runs as many as it asks for.",
  update_rollback: "An update came through.",
  update_paused: "The update is not paused any more.",
  node_down: "The node is ready again.",
  node_drained_with_tasks: "No task runs on the drained node any more.",
  quorum_degraded: "All managers are reachable again.",
};
