import { isDeepStrictEqual } from "node:util";
import type { Event, KubernetesNodeData, PodChange, WorkloadData, EventData } from "../../events.ts";
import type { KubernetesEvent, KubernetesNamespace, KubernetesNode } from "../../observations/kubernetes.ts";
import type { KubernetesPod, KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import { type Cluster, isUnnamed } from "./cluster.ts";
import { explainPod } from "./explain.ts";
import type { Delta, Inventory } from "./inventory.ts";
import { isThere } from "./judge.ts";
import { nameOf, type KubernetesProblem } from "./problem.ts";
import { countsOf, nodeState, pressuresOf, workloadState } from "./state.ts";

const MOST_PODS_NAMED = 100;
const MOST_EVENTS_NAMED = 20;

/** What every event of a change says. */
export interface ChangeContext {
  clusterId: string;
  agentId: string | null;
  now: Date;
}

type Facts<Data> = Omit<Data, "agent_id" | "cluster_id" | "timestamp">;

/** Workloads and nodes as they were last published, by id. */
export interface Shown {
  workloads: Map<string, Facts<WorkloadData>>;
  nodes: Map<string, Facts<KubernetesNodeData>>;
}

/** As they are, without an event. */
export function shownOf(inventory: Inventory): Shown {
  const { workloads, nodes } = inventory.objects;
  return {
    workloads: new Map([...workloads].map(([id, each]) => [id, workloadFacts(each, inventory.podsOf(id))])),
    nodes: new Map([...nodes].map(([id, each]) => [id, nodeFacts(each)])),
  };
}

/** What changed, as events; `shown` is changed to what they say. */
export function changesOf(
  delta: Delta,
  { inventory, shown, context }: { inventory: Inventory; shown: Shown; context: ChangeContext },
): Event[] {
  return [
    ...namespaceChanges(delta, context),
    ...nodeChanges(delta, shown, context),
    ...workloadChanges(delta, { inventory, shown, context }),
  ];
}

function namespaceChanges({ namespaces }: Delta, context: ChangeContext): Event[] {
  return [...namespaces.values()].flatMap(({ before, after }): Event[] => {
    const of = after ?? before;
    if (of === undefined || (after !== undefined && before?.phase === after.phase)) return [];
    return [{ type: "kubernetes.namespace_changed", data: { ...namespaceFacts(of), removed: after === undefined, ...whereOf(context) } }];
  });
}

function nodeChanges({ nodes }: Delta, shown: Shown, context: ChangeContext): Event[] {
  return [...nodes].flatMap(([id, { after }]): Event[] => {
    const old = shown.nodes.get(id);
    if (after === undefined) {
      shown.nodes.delete(id);
      return old === undefined ? [] : [{ type: "kubernetes.node_removed", data: { ...old, ...whereOf(context) } }];
    }
    const facts = nodeFacts(after);
    if (isDeepStrictEqual(old, facts)) return [];
    shown.nodes.set(id, facts);
    return [{ type: "kubernetes.node_updated", data: { ...facts, ...whereOf(context), previous_state: old?.state ?? null } }];
  });
}

function workloadChanges(
  delta: Delta,
  { inventory, shown, context }: { inventory: Inventory; shown: Shown; context: ChangeContext },
): Event[] {
  const pods = podChanges(delta);
  const events: Event[] = [];
  for (const id of new Set([...delta.workloads.keys(), ...pods.keys()])) {
    const workload = inventory.objects.workloads.get(id);
    const old = shown.workloads.get(id);
    if (workload === undefined) {
      shown.workloads.delete(id);
      if (old !== undefined) events.push({ type: "kubernetes.workload_removed", data: { ...old, ...whereOf(context) } });
      continue;
    }
    const facts = workloadFacts(workload, inventory.podsOf(id));
    const data = { ...facts, ...whereOf(context) };
    if (!isDeepStrictEqual(old, facts)) {
      shown.workloads.set(id, facts);
      events.push({ type: "kubernetes.workload_updated", data: { ...data, previous_state: old?.state ?? null } });
    }
    const changed = pods.get(id) ?? [];
    if (changed.length > 0) events.push({ type: "kubernetes.pods_changed", data: { ...data, pods: changed.slice(0, MOST_PODS_NAMED) } });
  }
  return events;
}

/** Changes of pods that somebody can see, by workload: what they use changes all the time. */
function podChanges({ pods }: Delta): Map<string, PodChange[]> {
  const changes = new Map<string, PodChange[]>();
  for (const { before, after } of pods.values()) {
    const of = after ?? before;
    if (of?.workloadId == null) continue;
    const known = changes.get(of.workloadId) ?? [];
    changes.set(of.workloadId, known);
    const change = podChange(before, after);
    if (change !== undefined) known.push(change);
  }
  return changes;
}

function podChange(before: KubernetesPod | undefined, after: KubernetesPod | undefined): PodChange | undefined {
  const old = before && shownPod(before);
  const now = after && shownPod(after);
  if (isDeepStrictEqual(old, now)) return undefined;
  if (now !== undefined) return { ...now, previous_status: old?.status ?? null };
  return old && { ...old, status: null, previous_status: old.status, ready: false };
}

function shownPod(pod: KubernetesPod) {
  const { id, name, nodeName, status, ready } = pod;
  return { id, name, node_name: nodeName, status, ready, restart_count: restartsOf(pod), message: explainPod(pod) };
}

export function restartsOf({ containers }: KubernetesPod): number {
  return containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function workloadFacts(workload: KubernetesWorkload, pods: readonly KubernetesPod[]): Facts<WorkloadData> {
  const { id, namespace, kind, containers, rollout, revision, replicas } = workload;
  const { desired, ready } = countsOf(workload, pods);
  return {
    ...{ id, name: nameOf(workload), namespace, kind, state: workloadState(workload, pods), ready },
    desired: replicas.desired === null && (workload.job !== null || workload.cronJob !== null) ? null : desired,
    images: containers.map(({ image }) => image),
    ...{ rollout_state: rollout?.state ?? null, rollout_message: rollout?.message ?? null, revision },
  };
}

function nodeFacts(node: KubernetesNode): Facts<KubernetesNodeData> {
  const { id, name, unschedulable, kubeletVersion } = node;
  return { id, name, state: nodeState(node), schedulable: !unschedulable, pressures: pressuresOf(node), kubelet_version: kubeletVersion };
}

function namespaceFacts({ id, name, phase }: KubernetesNamespace) {
  return { id, name, phase };
}

/** Events of a cluster that are new, or happened again. */
export function eventsRecorded(events: readonly KubernetesEvent[], { clusterId, agentId, now }: ChangeContext): Event[] {
  if (events.length === 0) return [];
  const newest = events.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime()).slice(0, MOST_EVENTS_NAMED);
  const named = newest.map(({ id, namespace, type, reason, message, count, about: { kind, name }, lastAt }) => ({
    ...{ id, namespace, type, reason, message, count, about: { kind, name } },
    last_at: lastAt.toISOString(),
  }));
  const data = { agent_id: agentId, cluster_id: clusterId, count: events.length, events: named, timestamp: now.toISOString() };
  return [{ type: "kubernetes.events_recorded", data }];
}

function whereOf({ clusterId, agentId, now }: ChangeContext) {
  return { agent_id: agentId, cluster_id: clusterId, timestamp: now.toISOString() };
}

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
export function problemOf(data: ActiveKubernetesAlert["data"]): KubernetesProblem {
  const { id, name, alert, entity_type, severity, message, cause, node_ids, namespace, kind, labels, since } = data;
  const { alert_channels: channels, alert_tags: tags } = data;
  return {
    ...{ id, name, alert, entity_type, severity, message, cause },
    ...{ node_ids, namespace, kind, labels, channels, tags, since: new Date(since) },
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
