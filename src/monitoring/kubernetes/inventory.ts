import {
  type KubernetesNamespace,
  type KubernetesNode,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesService,
  type KubernetesSighting,
  noObjects,
} from "../../observations/kubernetes.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import { nextTurnWhenDue } from "../../platform/clock.ts";

/** Kinds whose objects are held. Events are recorded instead: a cluster forgets them. */
export const HELD_KINDS = [
  "namespaces",
  "nodes",
  "workloads",
  "pods",
  "services",
  "routes",
  "claims",
  "certificates",
] as const satisfies readonly KubernetesObjectKind[];
export type HeldKind = (typeof HELD_KINDS)[number];
type ObjectOf<Kind extends HeldKind> = KubernetesObjects[Kind][number];

/** An object before and after: undefined of one that was not there, or is not any more. */
export interface Changed<Kind extends HeldKind> {
  before: ObjectOf<Kind> | undefined;
  after: ObjectOf<Kind> | undefined;
}
export type Delta = { [Kind in HeldKind]: Map<string, Changed<Kind>> };

/** What a host showed of its cluster, and what leads from one object to another. */
export interface Inventory {
  readonly objects: { readonly [Kind in HeldKind]: ReadonlyMap<string, ObjectOf<Kind>> };
  podsOf(workloadId: string): KubernetesPod[];
  podsOn(nodeName: string): KubernetesPod[];
  nodeNamed(name: string): KubernetesNode | undefined;
  namespaceNamed(name: string): KubernetesNamespace | undefined;
  /** Services that select the pods of a workload. */
  servicesOf(workloadId: string): KubernetesService[];
  /** Takes what a host sees; answers what is different. What is missing in a complete sighting is gone, but for kinds that are not seen. */
  apply(sighting: KubernetesSighting): Delta;
  /** Takes the objects of these kinds from another host of the cluster: its own host does not see them, and they were not seen to go. */
  adopt(from: Inventory, kinds: readonly HeldKind[]): void;
}

export function createInventory(): Inventory {
  const objects: { [Kind in HeldKind]: Map<string, ObjectOf<Kind>> } = {
    ...{ namespaces: new Map(), nodes: new Map(), workloads: new Map(), pods: new Map() },
    ...{ services: new Map(), routes: new Map(), claims: new Map(), certificates: new Map() },
  };
  const podsByWorkload = createIndex<KubernetesPod>();
  const podsByNode = createIndex<KubernetesPod>();
  const nodesByName = createIndex<KubernetesNode>();
  const namespacesByName = createIndex<KubernetesNamespace>();
  const servicesByWorkload = createIndex<KubernetesService>();

  /** Ids of another host's objects, by kind: they are gone once the own host sees the kind, and not them. */
  const adopted = new Map<HeldKind, Set<string>>();

  function index(kind: HeldKind, { before, after }: Changed<HeldKind>): void {
    // An object is of the kind that it is found under.
    if (kind === "pods") {
      const [old, pod] = [before as KubernetesPod | undefined, after as KubernetesPod | undefined];
      podsByWorkload.move(old?.workloadId, pod?.workloadId, { before: old, after: pod });
      podsByNode.move(old?.nodeName, pod?.nodeName, { before: old, after: pod });
    } else if (kind === "nodes") {
      const [old, node] = [before as KubernetesNode | undefined, after as KubernetesNode | undefined];
      nodesByName.move(old?.name, node?.name, { before: old, after: node });
    } else if (kind === "namespaces") {
      const [old, namespace] = [before as KubernetesNamespace | undefined, after as KubernetesNamespace | undefined];
      namespacesByName.move(old?.name, namespace?.name, { before: old, after: namespace });
    } else if (kind === "services") {
      const [old, service] = [before as KubernetesService | undefined, after as KubernetesService | undefined];
      for (const id of old?.workloadIds ?? []) servicesByWorkload.move(id, undefined, { before: old, after: undefined });
      for (const id of service?.workloadIds ?? []) servicesByWorkload.move(undefined, id, { before: undefined, after: service });
    }
  }

  function applyKind<Kind extends HeldKind>(kind: Kind, sighting: KubernetesSighting, delta: Delta): void {
    const held: Map<string, ObjectOf<Kind>> = objects[kind];
    const changed: Map<string, Changed<Kind>> = delta[kind];
    const set = (id: string, after: ObjectOf<Kind> | undefined): void => {
      const before = held.get(id);
      if (before === undefined && after === undefined) return;
      if (after === undefined) held.delete(id);
      else held.set(id, after);
      adopted.get(kind)?.delete(id);
      index(kind, { before, after });
      // Every minute all pods use something else, and nothing is judged by that.
      if (kind === "pods" && after !== undefined && differsByUsage(before as KubernetesPod | undefined, after as KubernetesPod)) return;
      changed.set(id, { before: changed.has(id) ? changed.get(id)?.before : before, after });
    };
    const seen: readonly ObjectOf<Kind>[] = sighting.objects[kind];
    for (const each of seen) set(each.id, each);
    if (sighting.isComplete && !isUnseen(sighting, kind)) {
      const there = new Set(seen.map(({ id }) => id));
      for (const id of [...held.keys()]) if (!there.has(id)) set(id, undefined);
    }
    for (const id of sighting.removed[kind] ?? []) set(id, undefined);
    if (isUnseen(sighting, kind)) return;
    const left = [...(adopted.get(kind) ?? [])];
    adopted.delete(kind);
    for (const id of left) set(id, undefined);
  }

  function adoptKind<Kind extends HeldKind>(kind: Kind, from: ReadonlyMap<string, ObjectOf<Kind>>): void {
    const held: Map<string, ObjectOf<Kind>> = objects[kind];
    const taken = adopted.get(kind) ?? new Set();
    adopted.set(kind, taken);
    for (const [id, after] of from) {
      if (held.has(id)) continue;
      held.set(id, after);
      taken.add(id);
      index(kind, { before: undefined, after });
    }
  }

  return {
    objects,
    podsOf: (workloadId) => podsByWorkload.of(workloadId),
    podsOn: (nodeName) => podsByNode.of(nodeName),
    nodeNamed: (name) => nodesByName.of(name)[0],
    namespaceNamed: (name) => namespacesByName.of(name)[0],
    servicesOf: (workloadId) => servicesByWorkload.of(workloadId),
    apply(sighting) {
      const delta = noDelta();
      for (const kind of HELD_KINDS) applyKind(kind, sighting, delta);
      return delta;
    },
    adopt(from, kinds) {
      for (const kind of kinds) adoptKind(kind, from.objects[kind]);
    },
  };
}

/** Whether a pod of the local host changed only in what it uses. Pods of other hosts are parsed each time, and share no parts with what was held. */
function differsByUsage(before: KubernetesPod | undefined, after: KubernetesPod): boolean {
  if (before === undefined) return false;
  // Object.keys answers names of any object.
  const names = Object.keys(after) as (keyof KubernetesPod)[];
  return names.every((name) => name === "usage" || before[name] === after[name]);
}

/** So many objects take some milliseconds to index. */
const AT_ONCE = 250;

/** All that a host shows of its cluster at first, which is so much that others are served between its parts. */
export async function inventoryOf(sighting: KubernetesSighting): Promise<Inventory> {
  const inventory = createInventory();
  for (const kind of HELD_KINDS) {
    const all: readonly ObjectOf<HeldKind>[] = sighting.objects[kind];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      inventory.apply({
        ...sighting,
        isComplete: false,
        objects: { ...noObjects(), [kind]: all.slice(from, from + AT_ONCE) },
        removed: {},
      });
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
  }
  return inventory;
}

/** What is different between what two hosts show of the same cluster. */
export function deltaBetween(before: Inventory, after: Inventory): Delta {
  const delta = noDelta();
  const compare = <Kind extends HeldKind>(kind: Kind): void => {
    const old: ReadonlyMap<string, ObjectOf<Kind>> = before.objects[kind];
    const now: ReadonlyMap<string, ObjectOf<Kind>> = after.objects[kind];
    const changed: Map<string, Changed<Kind>> = delta[kind];
    for (const [id, object] of now) changed.set(id, { before: old.get(id), after: object });
    for (const [id, object] of old) if (!now.has(id)) changed.set(id, { before: object, after: undefined });
  };
  for (const kind of HELD_KINDS) compare(kind);
  return delta;
}

function noDelta(): Delta {
  return {
    ...{ namespaces: new Map(), nodes: new Map(), workloads: new Map(), pods: new Map() },
    ...{ services: new Map(), routes: new Map(), claims: new Map(), certificates: new Map() },
  };
}

function isUnseen({ unseen }: KubernetesSighting, kind: KubernetesObjectKind): boolean {
  return unseen.some((each) => each.kind === kind);
}

interface Index<Object extends { id: string }> {
  of(key: string): Object[];
  /** From the place of before to that of now; a place is null or undefined where there is none. */
  move(from: string | null | undefined, to: string | null | undefined, of: { before: Object | undefined; after: Object | undefined }): void;
}

function createIndex<Object extends { id: string }>(): Index<Object> {
  const places = new Map<string, Map<string, Object>>();
  return {
    of: (key) => [...(places.get(key)?.values() ?? [])],
    move(from, to, { before, after }) {
      if (from === to && to != null && before?.id === after?.id && after !== undefined) {
        places.get(to)?.set(after.id, after);
        return;
      }
      if (from != null && before !== undefined) {
        const place = places.get(from);
        place?.delete(before.id);
        if (place?.size === 0) places.delete(from);
      }
      if (to == null || after === undefined) return;
      const place = places.get(to) ?? new Map<string, Object>();
      place.set(after.id, after);
      places.set(to, place);
    },
  };
}
