import { isDeepStrictEqual } from "node:util";
import type { Event, EventData, NodeData, ServiceData, TaskChange } from "../../events.ts";
import type { SwarmNode } from "../../observations/swarm.ts";
import type { SwarmProblem } from "./problem.ts";
import { type Cluster, servicesOf, type WatchedService } from "./replicas.ts";

const MOST_TASKS_NAMED = 100;

/** What every event of a change says. */
export interface ChangeContext {
  clusterId: string;
  agentId: string | null;
  now: Date;
}

/** What changed between two looks at a cluster, as events. Without a look before, nothing did: it was like this. */
export function changesBetween(before: Cluster | undefined, after: Cluster, now: Date): Event[] {
  if (before === undefined || before.topology === after.topology) return [];
  const context = { clusterId: after.id, agentId: after.agentId, now };
  return [
    ...serviceChanges(servicesOf(before.topology), servicesOf(after.topology), context),
    ...nodeChanges(before.topology.nodes, after.topology.nodes, context),
  ];
}

function serviceChanges(before: readonly WatchedService[], after: readonly WatchedService[], context: ChangeContext): Event[] {
  const known = new Map(before.map((each) => [each.service.id, each]));
  const events: Event[] = [];
  for (const each of after) {
    const old = known.get(each.service.id);
    known.delete(each.service.id);
    const data = serviceData(each, context);
    if (old === undefined || !isDeepStrictEqual(serviceData(old, context), data))
      events.push({ type: "swarm.service_updated", data: { ...data, previous_state: old?.state ?? null } });
    const tasks = taskChanges(old, each);
    if (tasks.length > 0) events.push({ type: "swarm.tasks_changed", data: { ...data, tasks: tasks.slice(0, MOST_TASKS_NAMED) } });
  }
  for (const gone of known.values()) events.push({ type: "swarm.service_removed", data: serviceData(gone, context) });
  return events;
}

function taskChanges(before: WatchedService | undefined, after: WatchedService): TaskChange[] {
  const known = new Map((before?.tasks ?? []).map((task) => [task.id, task]));
  const changes: TaskChange[] = [];
  for (const { id, slot, nodeId, state, error, desiredState } of after.tasks) {
    const old = known.get(id);
    known.delete(id);
    if (old?.state === state && old.error === error && old.desiredState === desiredState) continue;
    changes.push({ id, slot, node_id: nodeId, state, previous_state: old?.state ?? null, error });
  }
  for (const { id, slot, nodeId, state } of known.values())
    changes.push({ id, slot, node_id: nodeId, state: null, previous_state: state, error: null });
  return changes;
}

function nodeChanges(before: readonly SwarmNode[], after: readonly SwarmNode[], context: ChangeContext): Event[] {
  const known = new Map(before.map((node) => [node.id, node]));
  const events: Event[] = [];
  for (const node of after) {
    const old = known.get(node.id);
    known.delete(node.id);
    if (old === undefined || !isDeepStrictEqual(old, node))
      events.push({ type: "swarm.node_updated", data: { ...nodeData(node, context), previous_state: old?.state ?? null } });
  }
  for (const gone of known.values()) events.push({ type: "swarm.node_removed", data: nodeData(gone, context) });
  return events;
}

function serviceData({ service, state, running, desired }: WatchedService, { clusterId, agentId, now }: ChangeContext): ServiceData {
  const { id, name, stack, image, imageDigest, rollout } = service;
  return {
    ...{ id, agent_id: agentId, name, cluster_id: clusterId, timestamp: now.toISOString() },
    ...{ stack, state, running, desired, image, image_digest: imageDigest },
    rollout_state: rollout?.state ?? null,
    rollout_message: rollout?.message ?? null,
  };
}

function nodeData({ id, hostname, role, availability, state, manager }: SwarmNode, { clusterId, agentId, now }: ChangeContext): NodeData {
  return {
    ...{ id, agent_id: agentId, name: hostname, cluster_id: clusterId, timestamp: now.toISOString() },
    ...{ role, availability, state, leader: manager?.leader ?? false, reachability: manager?.reachability ?? null },
  };
}

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

/** An alert is over: by what a manager of its cluster shows, or else since what it was about is not to be seen again. */
export function overEvent(data: ActiveSwarmAlert["data"], cluster: Cluster | undefined, now: Date): Event<"swarm.alert"> {
  const endedBy = cluster === undefined ? "removal" : endOf(cluster, data);
  return { type: "swarm.alert", data: { ...data, active: false, ended_by: endedBy, timestamp: now.toISOString() } };
}

/** Of a service or a node that is not there any more, or is to be ignored, nothing was seen to be well. */
function endOf(
  { topology }: Cluster,
  { entity_type: type, id }: Pick<EventData["swarm.alert"], "entity_type" | "id">,
): "observation" | "removal" {
  if (type === "swarm") return "observation";
  if (type === "swarm_node") return topology.nodes.some((node) => node.id === id) ? "observation" : "removal";
  const service = topology.services.find((each) => each.id === id);
  return service !== undefined && !service.settings.ignored ? "observation" : "removal";
}
