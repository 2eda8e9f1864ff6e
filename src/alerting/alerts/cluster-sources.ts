import type { EventData } from "../../events.ts";
import type { Entity, Problem } from "../vocabulary.ts";
import { clear, raise, type Signal, severityOf } from "./signals.ts";

/** What is wrong with a workload, a node, a volume, a certificate or the API of a cluster. Source: contract, section 15. */
export function kubernetesAlert(data: EventData["kubernetes.alert"]): Signal[] {
  const { alert, entity_type: type, id, active, ended_by: endedBy } = data;
  const key = { source: "kubernetes", event: alert, entity: { type, id } } as const;
  if (!active)
    return [clear(key, endedBy === "removal" ? { by: "removal", reason: REMOVED[type] } : { by: "observation", reason: ENDS[alert] })];
  const { agent_id: agentId, name, severity, message, cause, node_ids: nodeIds, labels, alert_channels: channels, alert_tags: tags } = data;
  const { cluster_id, namespace, kind, since } = data;
  const problem: Problem = {
    ...key,
    agentId,
    entityName: name,
    severity: severityOf(labels, severity),
    message,
    cause,
    parents: nodeIds.map(kubernetesNodeEntity),
    labels,
    channels,
    tags,
    details: { cluster_id, namespace, kind, since, entity_type: type },
  };
  return [raise(problem)];
}

/** The node of a Kubernetes cluster, on which pods depend. */
export function kubernetesNodeEntity(id: string): Entity {
  return { type: "kubernetes_node", id };
}

const REMOVED: Record<EventData["kubernetes.alert"]["entity_type"], string> = {
  kubernetes_workload: "The workload was removed or is now ignored.",
  kubernetes_node: "The node was removed from its cluster.",
  kubernetes_claim: "The volume claim was removed.",
  kubernetes_certificate: "The Secret was removed.",
  kubernetes_cluster: "It is not watched as this cluster any more.",
};

const ENDS: Record<EventData["kubernetes.alert"]["alert"], string> = {
  replica_unhealthy: "As many pods are ready as it asks for.",
  crash_loop: "No container was restarted for ten minutes, and none waits to be.",
  image_pull: "No container waits for its image any more.",
  oom: "No container ran out of memory for ten minutes.",
  evicted: "No pod was evicted for ten minutes.",
  unschedulable: "All of its pods have a node.",
  job_failed: "The job did not fail, or was run again.",
  cronjob_missed: "It runs by its schedule again.",
  rollout_stalled: "The rollout makes progress again, or is complete.",
  node_not_ready: "The node is ready again.",
  node_pressure: "The node reports no pressure any more.",
  pvc_filling: "There is room on the volume again.",
  certificate_expiring: "The certificate was renewed.",
  api_unreachable: "The cluster is watched again.",
};

/** What is wrong with a service, a node or the managers of a swarm. Source: contract, section 15. */
export function swarmAlert(data: EventData["swarm.alert"]): Signal[] {
  const { alert, entity_type: type, id, active, ended_by: endedBy } = data;
  const key = { source: "swarm", event: alert, entity: { type, id } } as const;
  if (!active)
    return [
      clear(
        key,
        endedBy === "removal" ? { by: "removal", reason: REMOVED_FROM_SWARM[type] } : { by: "observation", reason: ENDS_IN_SWARM[alert] },
      ),
    ];
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

/** The node of a swarm, on which tasks depend. */
function nodeEntity(id: string): Entity {
  return { type: "swarm_node", id };
}

const REMOVED_FROM_SWARM = {
  swarm_service: "The service was removed, or is to be ignored.",
  swarm_node: "The node was removed from its swarm.",
  swarm: "It is not watched as this swarm any more.",
};

const ENDS_IN_SWARM = {
  replica_unhealthy: "It runs as many tasks as it asks for.",
  crash_loop: "No task has failed for ten minutes, and it runs as many as it asks for.",
  update_rollback: "An update came through.",
  update_paused: "The update is not paused any more.",
  node_down: "The node is ready again.",
  node_drained_with_tasks: "No task runs on the drained node any more.",
  quorum_degraded: "All managers are reachable again.",
};
