import type { Port } from "../../../observations.ts";
import { KUBERNETES_OBJECT_KINDS, type KubernetesObjectKind } from "../../../observations/kubernetes.ts";
import type { KubernetesPod } from "../../../observations/kubernetes-workloads.ts";
import { nextTurnWhenDue } from "../../../platform/clock.ts";
import type { RuntimeContainer, RuntimeKubernetes, RuntimeWorkload } from "../../runtime.ts";
import { createPodPlaces } from "./pods.ts";
import { createPublished, type Published, steadyPodUsage, steadyUsage } from "./published.ts";
import { rowOf } from "./row.ts";
import { type ClusterUsage, NO_USAGE, ROUTES, type StoredCluster, type StoredKind, WORKLOADS } from "./stored.ts";
import { createWorkloads } from "./workloads.ts";

export {
  type ClusterUsage,
  NO_USAGE,
  type Stored,
  type StoredCluster,
  type StoredKind,
  type StoredObjects,
  type StoredPod,
} from "./stored.ts";

/** So many objects hold up the event loop for a while. */
const MUCH = 200;

type ShownObjects = RuntimeKubernetes["objects"];
type Shown = { [Kind in KubernetesObjectKind]: Published<ShownObjects[Kind][number]> };

/** What changed between two looks. */
export interface ClusterChanges {
  objects: ShownObjects;
  removed: Partial<Record<KubernetesObjectKind, string[]>>;
  rows: { changed: RuntimeContainer[]; removed: string[] };
}

/** The cluster as it is shown: workloads, pods with their owners, nodes and the rest, made of what is stored of each kind. */
export interface ClusterView {
  /** An object of a kind came, changed or went. */
  touch(kind: StoredKind, id: string): void;
  /** A kind was listed again, or can be read or not: all of it is looked at again. */
  touchAll(kind: StoredKind): void;
  setUsage(usage: ClusterUsage): void;
  /** Looks at much that was touched before {@link update} does, and lets the event loop turn meanwhile; undefined where there is little. */
  settle(): Promise<void> | undefined;
  /** Makes of what was touched what changed. */
  update(): ClusterChanges;
  /** All of it, as of the last update. */
  objects(): ShownObjects;
  rows(): RuntimeContainer[];
  podsOf(workloadId: string): KubernetesPod[];
}

export function createClusterView(cluster: StoredCluster): ClusterView {
  const touched = new Map<StoredKind, Set<string>>();
  /** Those that were there: a new listing does not name what it lacks. */
  const known = new Map<StoredKind, Set<string>>();
  const places = createPodPlaces(cluster);
  const workloads = createWorkloads(cluster, places);
  const rows = createPublished<RuntimeContainer>();
  const podLabels = createPublished<{ namespace: string; labels: Readonly<Record<string, string>> }>();
  const shown: Shown = {
    namespaces: createPublished(),
    nodes: createPublished(),
    workloads: createPublished(),
    pods: createPublished(),
    services: createPublished(),
    routes: createPublished(),
    claims: createPublished(),
    certificates: createPublished(),
    events: createPublished(),
  };
  let usage = NO_USAGE;
  /** Of a new reading of usage: pods that were not compared with it yet. */
  let unread: string[] = [];
  let settling: Promise<void> | undefined;

  function touch(kind: StoredKind, id: string): void {
    const ids = touched.get(kind);
    if (ids === undefined) touched.set(kind, new Set([id]));
    else ids.add(id);
  }

  function take(kind: StoredKind): Set<string> {
    const taken = touched.get(kind) ?? new Set<string>();
    touched.delete(kind);
    const there = known.get(kind) ?? new Set<string>();
    known.set(kind, there);
    for (const id of taken) {
      if (cluster[kind].items().has(id)) there.add(id);
      else there.delete(id);
    }
    return taken;
  }

  /** Looks at the pods and workloads that changed, in steps that are short. */
  function* steps(): Generator<void> {
    const news = new Set<string>();
    const pods = take("pods");
    for (const kind of WORKLOADS) {
      for (const id of take(kind)) {
        for (const each of workloads.touchedBy(kind, id)) news.add(each);
        for (const pod of places.controlledBy(id)) pods.add(pod);
      }
    }
    for (const id of pods) {
      for (const each of places.place(id)) news.add(each);
      // Of a pod that nothing controls this is the workload too.
      news.add(id);
      updatePod(id);
      yield;
    }
    for (let id = unread.pop(); id !== undefined; id = unread.pop()) {
      if (usesAnother(id)) updatePod(id);
      yield;
    }
    for (const id of take("autoscalers")) for (const each of workloads.scaledBy(id)) news.add(each);
    for (const id of news) {
      updateWorkload(id);
      yield;
    }
    yield* updateServices();
  }

  /** Of what {@link steps} takes. */
  function isMuchTouched(): boolean {
    return ["pods" as const, ...WORKLOADS].reduce((sum, kind) => sum + (touched.get(kind)?.size ?? 0), unread.length) >= MUCH;
  }

  async function settleAll(): Promise<void> {
    while (isMuchTouched())
      for (const _step of steps()) {
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
      }
  }

  function updatePod(id: string): void {
    const stored = cluster.pods.items().get(id);
    const root = places.root(id);
    shown.pods.put(
      id,
      stored && {
        ...stored.pod,
        workloadId: root?.id ?? null,
        jobName: root?.jobName ?? null,
        usage: steadyPodUsage(shown.pods.get(id)?.usage, usage, `${stored.pod.namespace}/${stored.pod.name}`),
      },
    );
  }

  /** Most pods use about as much as before. */
  function usesAnother(id: string): boolean {
    const before = shown.pods.get(id);
    return before !== undefined && steadyPodUsage(before.usage, usage, `${before.namespace}/${before.name}`) !== before.usage;
  }

  function updateWorkload(id: string): void {
    const workload = workloads.get(id);
    const labels = workload && workloads.podLabelsOf(id);
    podLabels.put(id, workload && { namespace: workload.namespace, labels: labels ?? {} });
    shown.workloads.put(id, workload);
    rows.put(id, workload && rowOf(workload, podsOf(id), hostPortsOf(workload)));
  }

  /** Those that changed, and all while it changed what there is to select. */
  function* updateServices(): Generator<void> {
    const { changed, removed } = podLabels.takeChanges();
    const ids = new Set([...take("services"), ...(changed.length + removed.length > 0 ? cluster.services.items().keys() : [])]);
    if (ids.size === 0) return;
    const selectable = Map.groupBy(podLabels.entries(), ([, { namespace }]) => namespace);
    for (const id of ids) {
      const stored = cluster.services.items().get(id);
      if (stored === undefined) {
        shown.services.put(id, undefined);
        continue;
      }
      const { selector, ...service } = stored;
      const wanted = Object.entries(selector);
      const isSelected = ([, { labels }]: [string, { labels: Readonly<Record<string, string>> }]): boolean =>
        wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
      const workloadIds = (selectable.get(service.namespace) ?? []).filter(isSelected).map(([workloadId]) => workloadId);
      shown.services.put(id, { ...service, workloadIds });
      yield;
    }
  }

  function updateNamespaces(): void {
    const policies = cluster.networkPolicies;
    const isKnown = policies.isListed() && !policies.isAbsent();
    const guarded = new Set([...policies.items().values()].flatMap((each) => (each.restrictsIngress ? each.namespace : [])));
    const ids = take("networkPolicies").size > 0 ? cluster.namespaces.items().keys() : [];
    for (const id of new Set([...take("namespaces"), ...ids])) {
      const stored = cluster.namespaces.items().get(id);
      shown.namespaces.put(id, stored && { ...stored, hasNetworkPolicy: isKnown ? guarded.has(stored.name) : null });
    }
  }

  function updateNodes(): void {
    for (const id of take("nodes")) {
      const stored = cluster.nodes.items().get(id);
      shown.nodes.put(id, stored && { ...stored, usage: steadyUsage(shown.nodes.get(id)?.usage, usage.nodes.get(stored.name)) });
    }
  }

  function updateClaims(): void {
    for (const id of take("claims")) {
      const stored = cluster.claims.items().get(id);
      const used = stored && usage.volumes.get(`${stored.namespace}/${stored.name}`);
      shown.claims.put(id, stored && { ...stored, usedBytes: used?.usedBytes ?? null, sizeBytes: used?.sizeBytes ?? null });
    }
  }

  function podsOf(id: string): KubernetesPod[] {
    return places.podsOf(id).flatMap(({ pod }) => shown.pods.get(pod.id) ?? []);
  }

  return {
    touch,
    touchAll(kind) {
      for (const id of cluster[kind].items().keys()) touch(kind, id);
      for (const id of known.get(kind) ?? []) touch(kind, id);
      if (kind === "networkPolicies") for (const id of cluster.namespaces.items().keys()) touch("namespaces", id);
      // Pods may have waited for their owner, and workloads are known by their pods where they cannot be read.
      if (kind !== "pods" && WORKLOADS.some((each) => each === kind)) for (const id of cluster.pods.items().keys()) touch("pods", id);
    },
    setUsage(next) {
      usage = next;
      unread = [...cluster.pods.items().keys()];
      for (const id of cluster.nodes.items().keys()) touch("nodes", id);
      for (const id of cluster.claims.items().keys()) touch("claims", id);
    },
    settle() {
      if (isMuchTouched()) settling ??= settleAll().finally(() => (settling = undefined));
      return settling;
    },
    update() {
      for (const _step of steps());
      updateNamespaces();
      updateNodes();
      updateClaims();
      for (const kind of ROUTES) for (const id of take(kind)) shown.routes.put(id, cluster[kind].items().get(id));
      for (const id of take("certificates")) shown.certificates.put(id, cluster.certificates.items().get(id) ?? undefined);
      for (const id of take("events")) shown.events.put(id, cluster.events.items().get(id) ?? undefined);
      return changesOf(shown, rows);
    },
    objects: () => objectsOf((kind) => [...shown[kind].values()]),
    rows: () => [...rows.values()],
    podsOf,
  };
}

function changesOf(shown: Shown, rows: Published<RuntimeContainer>): ClusterChanges {
  const removed: ClusterChanges["removed"] = {};
  const objects = objectsOf((kind) => {
    const changes = shown[kind].takeChanges();
    if (changes.removed.length > 0) removed[kind] = changes.removed;
    return changes.changed;
  });
  return { objects, removed, rows: rows.takeChanges() };
}

/** Lists of all kinds. */
function objectsOf(listOf: (kind: KubernetesObjectKind) => readonly object[]): ShownObjects {
  // What is listed of a kind is what is shown of it.
  return Object.fromEntries(KUBERNETES_OBJECT_KINDS.map((kind) => [kind, listOf(kind)])) as unknown as ShownObjects;
}

/** Ports of its nodes that its containers take. */
function hostPortsOf({ security }: RuntimeWorkload): Port[] {
  return (security?.hostPorts ?? []).map(({ port, protocol }) => ({ containerPort: port, protocol, hostIp: "0.0.0.0", hostPort: port }));
}
