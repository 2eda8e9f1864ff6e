import type { EventData } from "../../events.ts";
import { about, clear, raise, type Signal, severityOf } from "./signals.ts";

/** What is wrong with a workload, a node, a volume, a certificate or the API of a cluster. Source: contract, section 15. */
export function kubernetesAlert(data: EventData["kubernetes.alert"]): Signal[] {
  const { alert, entity_type, cluster_id, namespace, kind, since } = data;
  const details = { cluster_id, namespace, kind, since, entity_type };
  return [signalOf("kubernetes", data, { removed: REMOVED[entity_type], ended: ENDS[alert], details })];
}

/** What is wrong with a service, a node or the managers of a swarm. Source: contract, section 15. */
export function swarmAlert(data: EventData["swarm.alert"]): Signal[] {
  const { alert, entity_type, cluster_id, stack, since } = data;
  const details = { cluster_id, stack, since, entity_type };
  return [signalOf("swarm", data, { removed: REMOVED_FROM_SWARM[entity_type], ended: ENDS_IN_SWARM[alert], details })];
}

function signalOf(
  source: "kubernetes" | "swarm",
  data: EventData["kubernetes.alert" | "swarm.alert"],
  { removed, ended, details }: { removed: string; ended: string; details: Readonly<Record<string, unknown>> },
): Signal {
  const { alert: event, entity_type: type, id, message, cause, node_ids: nodeIds } = data;
  const key = { source, event, entity: { type, id } };
  if (!data.active)
    return clear(key, data.ended_by === "removal" ? { by: "removal", reason: removed } : { by: "observation", reason: ended });
  const severity = severityOf(data.labels, data.severity);
  // Its containers depend on the nodes that they run on.
  const parents = nodeIds.map((nodeId) => ({ type: `${source}_node`, id: nodeId }));
  return raise({ ...about(data), ...key, severity, message, cause, parents, details });
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
