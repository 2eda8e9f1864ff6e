import { z } from "zod";
import { compareNames } from "../../contract/words.ts";
import { type Order, pageOf } from "../../http/cursor.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { KubernetesObjects } from "../../observations/kubernetes.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import type {
  CertificateList,
  ClaimList,
  ClusterRecord,
  EventList,
  NamespaceList,
  NodeList,
  PodList,
  RouteList,
  ServiceList,
  WorkloadDetail,
  WorkloadList,
} from "./answers.ts";
import type { Cluster } from "./cluster.ts";
import { detailOf } from "./detail.ts";
import type { ClusterEvents } from "./cluster-events.ts";
import type { HeldKind } from "./inventory.ts";
import {
  certificateRecord,
  claimRecord,
  clusterRecord,
  namespaceRecord,
  nodeRecord,
  routeRecord,
  serviceRecord,
  servicesByName,
} from "./object-records.ts";
import { nameOf, createRunTimes } from "./problem.ts";
import type { EventQuery, NamespaceQuery, NodeQuery, ObjectQuery, PodQuery, WorkloadQuery } from "./api.ts";
import { groupOf, podRecord, type RecordContext, workloadRecord } from "./records.ts";
import type { Register } from "./register.ts";
import { nodeState, workloadState } from "./state.ts";

/** What can be asked of clusters. Each throws `conflict`, with what to do, where no cluster was seen. */
export interface KubernetesService {
  namespaces(query: NamespaceQuery): NamespaceList;
  workloads(query: WorkloadQuery): WorkloadList;
  /** Throws `not_found`. */
  workload(id: string): Promise<WorkloadDetail>;
  pods(query: PodQuery): PodList;
  nodes(query: NodeQuery): NodeList;
  services(query: ObjectQuery): ServiceList;
  routes(query: ObjectQuery): RouteList;
  claims(query: ObjectQuery): ClaimList;
  certificates(query: ObjectQuery): CertificateList;
  events(query: EventQuery): Promise<EventList>;
  /** How many events a query finds, on whatever page. */
  eventTotal(query: Omit<EventQuery, "cursor" | "limit">): Promise<number>;
}

export interface KubernetesServiceParts {
  register: Pick<Register, "views" | "clusters" | "problems">;
  events: Pick<ClusterEvents, "list" | "count">;
  present: Pick<PresentContainers, "find">;
  clock: Clock;
}

type ClusterFilter = Pick<ObjectQuery, "cluster_id" | "agent_id">;
type ObjectFilter = ClusterFilter & Pick<ObjectQuery, "search" | "limit" | "cursor"> & { namespace?: string | undefined };

export function createKubernetesService({ register, events, present, clock }: KubernetesServiceParts): KubernetesService {
  const runTimes = createRunTimes();

  function clustersFor({ cluster_id: id, agent_id: host }: ClusterFilter): Cluster[] {
    const all = register.clusters();
    if (all.length === 0) throw new ServiceError("conflict", whyNone(register.views()));
    const agentId = host === "local" ? null : host;
    return all.filter(
      (cluster) =>
        (id === undefined || cluster.id === id) && (agentId === undefined || cluster.hosts.some((each) => each.agentId === agentId)),
    );
  }

  function contextOf(cluster: Cluster): RecordContext {
    return {
      ...{ cluster, problems: register.problems(cluster.id), runTimes, now: clock.now() },
      containerOf(workloadId) {
        // Rows of the host that shows it now: another one may have those of before.
        for (const agentId of new Set([cluster.agentId, ...cluster.hosts.map((host) => host.agentId)])) {
          const found = present.find(agentId, workloadId);
          if (found !== undefined) return { id: found.id, agentId };
        }
        return undefined;
      },
    };
  }

  const recordsOf = (clusters: readonly Cluster[]): ClusterRecord[] => clusters.map((cluster) => clusterRecord(contextOf(cluster)));

  /** A page of the objects of one kind, by namespace and name. */
  function list<Kind extends HeldKind, Listed>(
    kind: Kind,
    query: ObjectFilter,
    {
      isWanted,
      groupOf: group = (object) => ("namespace" in object ? object.namespace : ""),
      record,
    }: {
      isWanted?: (object: KubernetesObjects[Kind][number], cluster: Cluster) => boolean;
      groupOf?: (object: KubernetesObjects[Kind][number]) => string;
      record: (object: KubernetesObjects[Kind][number], context: RecordContext) => Listed;
    },
  ): { records: Listed[]; clusters: ClusterRecord[]; total: number; next_cursor: string | null } {
    const clusters = clustersFor(query);
    const rows: Row<KubernetesObjects[Kind][number]>[] = [];
    for (const cluster of clusters) {
      const objects: ReadonlyMap<string, KubernetesObjects[Kind][number]> = cluster.inventory.objects[kind];
      for (const object of objects.values()) {
        const namespace = "namespace" in object ? object.namespace : object.name;
        if (query.namespace !== undefined && namespace !== query.namespace) continue;
        if (isWanted === undefined ? !matches(query.search, nameOf(object)) : !isWanted(object, cluster)) continue;
        rows.push({ cluster, object, place: [group(object), object.name, `${cluster.id} ${object.id}`] });
      }
    }
    rows.sort((a, b) => ORDER.compare(a.place, b.place));
    const { page, next } = pageOf<Row<KubernetesObjects[Kind][number]>, Place>(rows, query, ORDER);
    const contextFor = ofCluster(contextOf);
    const records = page.map(({ cluster, object }) => record(object, contextFor(cluster)));
    return { records, clusters: recordsOf(clusters), total: rows.length, next_cursor: next };
  }

  function namespaces(query: NamespaceQuery): NamespaceList {
    const contents = ofCluster(contentsOf);
    const { records, ...page } = list("namespaces", query, {
      record(namespace, context) {
        const { workloads: byNamespace, pods: podsByNamespace } = contents(context.cluster);
        const inIt = { workloads: byNamespace.get(namespace.name) ?? [], pods: podsByNamespace.get(namespace.name) ?? [] };
        return namespaceRecord(namespace, inIt, context);
      },
    });
    return { namespaces: records, ...page };
  }

  function workloads({ kind, state, node, search, ...query }: WorkloadQuery): WorkloadList {
    const { records, ...page } = list("workloads", query, {
      groupOf,
      isWanted(workload, { inventory }) {
        if (kind !== undefined && workload.kind !== kind) return false;
        const images = workload.containers.map(({ image }) => image);
        if (!matches(search, nameOf(workload), groupOf(workload), ...images)) return false;
        if (state === undefined && node === undefined) return true;
        const own = inventory.podsOf(workload.id);
        if (state !== undefined && workloadState(workload, own) !== state) return false;
        return node === undefined || own.some(({ nodeName }) => nodeName === node);
      },
      record: workloadRecord,
    });
    return { workloads: records, ...page };
  }

  function pods({ workload_id: workload, node, phase, ready, search, ...query }: PodQuery): PodList {
    const isWanted = (pod: KubernetesPod): boolean =>
      (workload === undefined || pod.workloadId === workload) &&
      (node === undefined || pod.nodeName === node) &&
      (phase === undefined || pod.phase === phase) &&
      (ready === undefined || pod.ready === ready) &&
      matches(search, nameOf(pod));
    const { records, ...page } = list("pods", query, { isWanted, record: podRecord });
    return { pods: records, ...page };
  }

  return {
    namespaces,
    workloads,
    pods,
    async workload(id) {
      for (const cluster of clustersFor({})) {
        const workload = cluster.inventory.objects.workloads.get(id);
        if (workload !== undefined) return detailOf(workload, contextOf(cluster), events);
      }
      throw new ServiceError("not_found", "No cluster that is watched has a workload with this id.");
    },
    nodes({ state, search, ...query }) {
      const { records, ...page } = list("nodes", query, {
        isWanted: (node) => (state === undefined || nodeState(node) === state) && matches(search, node.name),
        record: nodeRecord,
      });
      return { nodes: records, ...page };
    },
    services(query) {
      const { records, ...page } = list("services", query, { record: serviceRecord });
      return { services: records, ...page };
    },
    routes(query) {
      const services = ofCluster(servicesByName);
      const { records, ...page } = list("routes", query, {
        record: (route, context) => routeRecord(route, services(context.cluster), context),
      });
      return { routes: records, ...page };
    },
    claims(query) {
      const mounting = ofCluster(podsByClaim);
      const { records, ...page } = list("claims", query, {
        record: (claim, context) => claimRecord(claim, mounting(context.cluster).get(nameOf(claim)) ?? [], context),
      });
      return { claims: records, ...page };
    },
    certificates(query) {
      const { records, ...page } = list("certificates", query, { record: certificateRecord });
      return { certificates: records, ...page };
    },
    async events({ cluster_id, agent_id, ...query }) {
      const clusters = clustersFor({ cluster_id, agent_id });
      const found = await events.list(
        query,
        clusters.map(({ id }) => id),
      );
      return { ...found, clusters: recordsOf(clusters) };
    },
    eventTotal: ({ cluster_id, agent_id, ...query }) =>
      events.count(
        query,
        clustersFor({ cluster_id, agent_id }).map(({ id }) => id),
      ),
  };
}

/** Answers what is worked out of a cluster, once of each. */
function ofCluster<Result extends object>(workOut: (cluster: Cluster) => Result): (cluster: Cluster) => Result {
  const known = new Map<Cluster, Result>();
  return (cluster) => {
    const result = known.get(cluster) ?? workOut(cluster);
    known.set(cluster, result);
    return result;
  };
}

function contentsOf({ inventory: { objects } }: Cluster) {
  return {
    workloads: Map.groupBy(objects.workloads.values(), ({ namespace }) => namespace),
    pods: Map.groupBy(objects.pods.values(), ({ namespace }) => namespace),
  };
}

/** Pods by the claims that they mount, by `namespace/name`. */
function podsByClaim({ inventory }: Cluster): Map<string, KubernetesPod[]> {
  const byClaim = new Map<string, KubernetesPod[]>();
  for (const pod of inventory.objects.pods.values())
    for (const claim of new Set(pod.claims)) {
      const name = nameOf({ namespace: pod.namespace, name: claim });
      const known = byClaim.get(name);
      if (known === undefined) byClaim.set(name, [pod]);
      else known.push(pod);
    }
  return byClaim;
}

/** Why there is nothing to be seen, and what to do: of the host that knows most of a cluster. */
function whyNone(views: ReturnType<Register["views"]>): string {
  const order = ["unreachable", "denied", "standby", "watching"];
  const [best] = views.toSorted((a, b) => order.indexOf(a.standing) - order.indexOf(b.standing));
  if (best?.reason != null) return best.reason;
  return "No Kubernetes cluster is watched. Install an agent in the cluster, or set SERVICE_RUNTIME to kubernetes where there is a kubeconfig.";
}

/** A place in a list: two texts as people order them, then what distinguishes it from all others. */
const place = z.tuple([z.string(), z.string(), z.string()]);
type Place = z.infer<typeof place>;

/** An object of a cluster, and where it stands. */
interface Row<Object> {
  cluster: Cluster;
  object: Object;
  place: Place;
}

const ORDER: Order<Pick<Row<unknown>, "place">, Place> = {
  place,
  placeOf: (row) => row.place,
  compare: (one, other) =>
    compareNames(one[0], other[0]) || compareNames(one[1], other[1]) || (one[2] < other[2] ? -1 : Number(one[2] > other[2])),
};

/** Whether a text that is looked for is in one of these, in any case. */
function matches(search: string | undefined, ...texts: readonly string[]): boolean {
  if (search === undefined) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
