import { z } from "zod";
import { compareNames } from "../../contract/words.ts";
import { type CursorPage, type Order, pageOf } from "../../http/cursor.ts";
import { createKeptBodies } from "../../http/kept-bodies.ts";
import type { SwarmService as Service, SwarmTask } from "../../observations/swarm.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { ContainerService, PresentContainers, Usage } from "../containers/index.ts";
import type { NodeQuery, ServiceLogQuery, ServiceLogStreamEnd, ServiceLogStreamQuery, ServiceQuery, TaskQuery } from "./api.ts";
import type {
  ClusterRecord,
  NodeList,
  NodeRecord,
  ServiceDetail,
  ServiceList,
  ServiceLogs,
  ServiceRecord,
  TaskList,
  TaskRecord,
} from "./answers.ts";
import { createFollowers, type SendOfLogs } from "./followers.ts";
import { groupOf, nodeRecord, problemRecord, serviceRecord, type TaskFacts, taskRecord, usageOf } from "./records.ts";
import type { Register } from "./register.ts";
import { readServiceLogs } from "./service-logs.ts";
import { type Cluster, downNodes, type HostView, isCurrent, isRunning, servicesOf } from "./replicas.ts";

/** What can be asked of swarms. Each throws `conflict`, with what to do, where no swarm was seen. */
export interface SwarmService {
  services(query: ServiceQuery): ServiceList;
  /** The same as JSON bytes, kept while nothing changes. */
  servicesBody(query: ServiceQuery): Buffer;
  /** Throws `not_found`. */
  service(id: string): ServiceDetail;
  /** The last lines of its tasks, as far as their containers are seen. Throws `not_found`. */
  logs(id: string, query: ServiceLogQuery, signal: AbortSignal): Promise<ServiceLogs>;
  /** The log of all its tasks until the signal, those to come too; answers whether the service is gone. Throws `not_found`. */
  followLogs(id: string, query: ServiceLogStreamQuery, send: SendOfLogs, signal: AbortSignal): Promise<ServiceLogStreamEnd>;
  tasks(query: TaskQuery): TaskList;
  nodes(query: NodeQuery): NodeList;
}

export interface SwarmServiceParts {
  register: Pick<Register, "views" | "clusters" | "problems" | "version">;
  present: Pick<PresentContainers, "find" | "hosts" | "usage">;
  containers: Pick<ContainerService, "logs" | "find" | "followLogs">;
  clock: Clock;
}

export function createSwarmService({ register, present, containers, clock }: SwarmServiceParts): SwarmService {
  const followers = createFollowers({ containers, clock });
  const bodies = createKeptBodies(register.version);

  function clustersFor({ cluster_id: id, agent_id: host }: { cluster_id?: string | undefined; agent_id?: string | undefined }): Cluster[] {
    const all = register.clusters();
    if (all.length === 0) throw new ServiceError("conflict", whyNone(register.views()));
    return all.filter(
      (cluster) =>
        (id === undefined || cluster.id === id) && (host === undefined || cluster.hosts.some(isHost(host)) || hasNode(cluster, host)),
    );
  }

  /** The node that a host of ours is; undefined while it does not say. */
  function nodeOf(host: string): string | undefined {
    return register.views().find(isHost(host))?.swarm.nodeId ?? undefined;
  }

  /** A worker does not know to which swarm it belongs. */
  function hasNode({ topology }: Cluster, host: string): boolean {
    const nodeId = nodeOf(host);
    return topology.nodes.some(({ id }) => id === nodeId);
  }

  function containerOf({ containerId }: SwarmTask): TaskFacts["container"] {
    if (containerId === null) return undefined;
    for (const agentId of present.hosts()) {
      const found = present.find(agentId, containerId);
      if (found === undefined) continue;
      const usage = present.usage(found.id);
      return { id: found.id, agentId, resources: usage && pickUsed(usage) };
    }
    return undefined;
  }

  function taskRecords(cluster: Cluster, isWanted: (task: SwarmTask) => boolean): TaskRecord[] {
    const services = new Map(cluster.topology.services.map((each) => [each.id, each]));
    const nodes = new Map(cluster.topology.nodes.map((each) => [each.id, each]));
    return cluster.topology.tasks.filter(isWanted).map((task) =>
      taskRecord(task, {
        clusterId: cluster.id,
        service: services.get(task.serviceId),
        node: task.nodeId === null ? undefined : nodes.get(task.nodeId),
        container: containerOf(task),
      }),
    );
  }

  function nodeRecords(cluster: Cluster): NodeRecord[] {
    const { topology, id: clusterId } = cluster;
    const running = Map.groupBy(runningTasks(cluster), ({ nodeId }) => nodeId);
    const problems = register.problems(clusterId);
    const hosts = new Map(register.views().flatMap(({ agentId, swarm: { nodeId } }) => (nodeId === null ? [] : [[nodeId, { agentId }]])));
    return topology.nodes.map((node) =>
      nodeRecord(node, { clusterId, tasks: running.get(node.id)?.length ?? 0, host: hosts.get(node.id), problems }),
    );
  }

  function clusterRecord(cluster: Cluster): ClusterRecord {
    const { id, topology, observedAt, isObserved, reason, agentId } = cluster;
    const { nodes, services } = topology;
    return {
      id,
      observed: isObserved,
      observed_at: observedAt.toISOString(),
      reason,
      agent_id: agentId,
      managers: nodes.filter(({ role }) => role === "manager").length,
      nodes: nodes.length,
      services: services.length,
      tasks: runningTasks(cluster).length,
      problems: register
        .problems(id)
        .filter(({ entity_type: type }) => type === "swarm")
        .map(problemRecord),
    };
  }

  function serviceDetail(id: string): ServiceDetail {
    for (const cluster of clustersFor({})) {
      const watched = servicesOf(cluster.topology).find(({ service }) => service.id === id);
      if (watched === undefined) continue;
      const tasks = taskRecords(cluster, ({ serviceId }) => serviceId === id).sort(byPlace);
      const record = serviceRecord(watched, cluster.id, register.problems(cluster.id));
      return { ...record, tasks, cluster: clusterRecord(cluster), usage: usageOf(tasks), commands: commandsOf(record, watched.service) };
    }
    throw new ServiceError("not_found", "No swarm that is watched has a service with this id.");
  }

  function serviceList(query: ServiceQuery): ServiceList {
    const clusters = clustersFor(query);
    const search = query.search?.toLowerCase();
    const found = clusters.flatMap((cluster) => {
      const problems = register.problems(cluster.id);
      return servicesOf(cluster.topology)
        .filter(({ service, state }) => {
          if (query.stack !== undefined && service.stack !== query.stack) return false;
          if (query.state !== undefined && state !== query.state) return false;
          return search === undefined || `${service.name}\n${groupOf(service)}\n${service.image}`.toLowerCase().includes(search);
        })
        .map((each) => serviceRecord(each, cluster.id, problems));
    });
    const { page, next } = sortedPage(found, query, BY_GROUP);
    return { services: page, clusters: clusters.map(clusterRecord), total: found.length, next_cursor: next };
  }

  return {
    services: serviceList,
    servicesBody: (query) => bodies.get(query, () => Buffer.from(JSON.stringify(serviceList(query)))),
    service: serviceDetail,
    logs: async (id, query, signal) => ({
      service_id: id,
      ...(await readServiceLogs(serviceDetail(id).tasks, { containers, query, clock, signal })),
    }),
    followLogs: (id, query, send, signal) => followers.follow(() => serviceDetail(id).tasks, { query, send, signal }),

    tasks(query) {
      const { agent_id: host } = query;
      const ofHost = host === undefined ? undefined : nodeOf(host);
      const isWanted = (task: SwarmTask): boolean =>
        (host === undefined || (ofHost !== undefined && task.nodeId === ofHost)) &&
        (query.service_id === undefined || task.serviceId === query.service_id) &&
        (query.node_id === undefined || task.nodeId === query.node_id) &&
        (query.current === undefined || isCurrent(task) === query.current);
      const found = clustersFor(query).flatMap((cluster) => taskRecords(cluster, isWanted));
      const { page, next } = sortedPage(found, query, BY_TASK);
      return { tasks: page, total: found.length, next_cursor: next };
    },

    nodes(query) {
      const clusters = clustersFor(query);
      const { agent_id: host } = query;
      const found = clusters
        .flatMap(nodeRecords)
        .filter(({ watched, agent_id }) => host === undefined || (watched && isHost(host)({ agentId: agent_id })));
      const { page, next } = sortedPage(found, query, BY_NODE);
      return { nodes: page, clusters: clusters.map(clusterRecord), total: found.length, next_cursor: next };
    },
  };
}

function pickUsed({ cpu_percent, cpu_cores_used, memory_bytes }: Usage): NonNullable<TaskRecord["resources"]> {
  return { cpu_percent, cpu_cores_used, memory_bytes };
}

/** Whether something is of the host with this id, or of the `local` one. */
function isHost(id: string): (of: { agentId: string | null }) => boolean {
  return ({ agentId }) => (agentId ?? "local") === id;
}

function runningTasks({ topology }: Cluster): SwarmTask[] {
  const down = downNodes(topology.nodes);
  return topology.tasks.filter((task) => isRunning(task, down));
}

/** Why there are no services to be seen, and what to do: of the engine that knows most of a swarm. */
function whyNone(views: readonly HostView[]): string {
  const order = ["no_quorum", "locked", "denied", "worker", "inactive"];
  const [best] = views.toSorted((a, b) => order.indexOf(a.swarm.standing) - order.indexOf(b.swarm.standing));
  if (best?.swarm.standing === "manager")
    return "An engine is a manager, and does not say of which swarm: GET /info is denied. Allow it in the socket proxy (often INFO=1).";
  if (best?.swarm.reason != null) return best.swarm.reason;
  return "No swarm is watched: no engine of a watched host is a manager. Watch a manager of the swarm, with SERVICE_RUNTIME auto or swarm.";
}

/** Of what an engine takes as the name of a service. */
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;
const IMAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9_./:-]*$/;

function commandsOf(
  { name, image: named, image_digest: digest }: ServiceRecord,
  { hasPrevious }: Pick<Service, "hasPrevious">,
): ServiceDetail["commands"] {
  if (!SERVICE_NAME.test(name) || !IMAGE_NAME.test(named)) return null;
  // Without its digest it would be the tag `latest` from then on.
  const image = digest !== null && !/:[^/]*$/.test(named) ? `${named}@${digest}` : named;
  return {
    update: `docker service update --image ${image} --with-registry-auth ${name}`,
    rollback: hasPrevious === false ? null : `docker service rollback ${name}`,
  };
}

const threeTexts = z.tuple([z.string(), z.string(), z.string()]);
type ThreeTexts = z.infer<typeof threeTexts>;
const byTexts = (one: ThreeTexts, other: ThreeTexts): number =>
  compareNames(one[0], other[0]) || compareNames(one[1], other[1]) || (one[2] < other[2] ? -1 : Number(one[2] > other[2]));

const BY_GROUP: Order<ServiceRecord, ThreeTexts> = {
  place: threeTexts,
  placeOf: ({ group, name, id }) => [group, name, id],
  compare: byTexts,
};
const BY_NODE: Order<NodeRecord, ThreeTexts> = {
  place: threeTexts,
  placeOf: ({ cluster_id: clusterId, hostname, id }) => [clusterId, hostname, id],
  compare: byTexts,
};
const BY_TASK: Order<TaskRecord, ThreeTexts> = {
  place: threeTexts,
  placeOf: ({ name, created_at: createdAt, id }) => [name, createdAt, id],
  compare: byTexts,
};

function sortedPage<Row>(rows: Row[], query: CursorPage, order: Order<Row, ThreeTexts>): { page: Row[]; next: string | null } {
  const sorted = rows.toSorted((a, b) => order.compare(order.placeOf(a), order.placeOf(b)));
  const { page, next } = pageOf(sorted, query, order);
  return { page: [...page], next };
}

/** Those that are to run by slot, then those that are over, newest first. */
function byPlace(a: TaskRecord, b: TaskRecord): number {
  if (a.is_current !== b.is_current) return a.is_current ? -1 : 1;
  if (!a.is_current) return b.since.localeCompare(a.since);
  return (a.slot ?? 0) - (b.slot ?? 0) || compareNames(a.node_name ?? "", b.node_name ?? "") || b.created_at.localeCompare(a.created_at);
}
