import type { Event, EventData } from "../../events.ts";
import { type Cluster, isUnnamed } from "./cluster.ts";
import { isThere } from "./judge.ts";
import type { KubernetesProblem } from "./problem.ts";

type AlertData = EventData["kubernetes.alert"];

/** An alert about a cluster that is active, as alerting has it. */
export interface ActiveKubernetesAlert {
  clusterId: string;
  /** The event that raised it, as far as it was kept. */
  data: Omit<AlertData, "timestamp" | "active" | "ended_by">;
}

export function problemEvent(
  { id, agentId }: Pick<Cluster, "id" | "agentId">,
  problem: KubernetesProblem,
  now: Date,
): Event<"kubernetes.alert"> {
  const { channels, tags, since, ...facts } = problem;
  return {
    type: "kubernetes.alert",
    data: {
      ...facts,
      agent_id: agentId,
      cluster_id: id,
      active: true,
      ended_by: null,
      alert_channels: channels,
      alert_tags: tags,
      since: since.toISOString(),
      timestamp: now.toISOString(),
    },
  };
}

/** The problem that an event was of. */
export function problemOf({
  since,
  alert_channels: channels,
  alert_tags: tags,
  ...data
}: ActiveKubernetesAlert["data"]): KubernetesProblem {
  const { id, name, alert, entity_type, severity, message, cause, node_ids, namespace, kind, labels } = data;
  return {
    id,
    name,
    alert,
    entity_type,
    severity,
    message,
    cause,
    node_ids,
    namespace,
    kind,
    labels,
    channels,
    tags,
    since: new Date(since),
  };
}

/** It was seen to be over; of what is not there any more, or is to be ignored now, nothing was seen to be well. */
export function overEvent(cluster: Cluster, problem: KubernetesProblem, now: Date): Event<"kubernetes.alert"> {
  const isIgnored = cluster.inventory.objects.workloads.get(problem.id)?.settings.ignored === true;
  const isWatched = isThere(cluster.inventory, problem) && !isIgnored;
  return ended(problemEvent(cluster, problem, now), isWatched ? "observation" : "removal");
}

/** Of a cluster that is not watched any more; that an API server could not be reached is over when another name shows that it can. */
export function endedEvent(cluster: Pick<Cluster, "id" | "agentId">, problem: KubernetesProblem, now: Date): Event<"kubernetes.alert"> {
  return ended(
    problemEvent(cluster, problem, now),
    problem.alert === "api_unreachable" && isUnnamed(cluster.id) ? "observation" : "removal",
  );
}

function ended({ type, data }: Event<"kubernetes.alert">, by: "observation" | "removal"): Event<"kubernetes.alert"> {
  return { type, data: { ...data, active: false, ended_by: by } };
}
