import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesSighting,
} from "../../observations/kubernetes.ts";
import {
  type Listing,
  type ListingPart,
  MAX_CONTAINERS,
  MAX_LISTING_LABELS,
  type KubernetesPart,
  MAX_OBJECTS,
  withUnseen,
} from "../wire/index.ts";
import { type Assembly, type AssemblyOptions, createAssembly, type Joining } from "./assembly.ts";

export interface ListingsOptions extends Pick<AssemblyOptions<ListingPart, Listing>, "agentId" | "room" | "clock" | "log"> {
  /** Called when a listing is dropped. */
  onDropped: () => void;
}

/** Joins a listing of containers that comes in parts. */
export type Listings = Assembly<ListingPart, Listing>;

export function createListings(options: ListingsOptions): Listings {
  return createAssembly({ ...options, where: "container_inventory_part", what: "listing", begin: joinContainers });
}

function joinContainers(): Joining<ListingPart, Listing> {
  const containers: Listing["containers"] = [];
  const unread: string[] = [];
  const ids = new Set<string>();
  let labels = 0;
  return {
    faultOf(part) {
      if (containers.length + unread.length + part.containers.length + (part.unread?.length ?? 0) > MAX_CONTAINERS)
        return `makes a listing of more than ${MAX_CONTAINERS} containers`;
      if (labels + labelsOf(part) > MAX_LISTING_LABELS) return `makes a listing of more than ${MAX_LISTING_LABELS} labels`;
      return part.containers.some(({ externalId }) => ids.has(externalId)) ? "names a container that was listed before" : undefined;
    },
    add(part) {
      labels += labelsOf(part);
      for (const container of part.containers) {
        ids.add(container.externalId);
        containers.push(container);
      }
      unread.push(...(part.unread ?? []));
    },
    whole: () => ({ containers, ...(unread.length > 0 && { unread }) }),
  };
}

function labelsOf({ containers }: ListingPart): number {
  return containers.reduce((sum, { labels }) => sum + Object.keys(labels).length, 0);
}

type SightingsOptions = Pick<AssemblyOptions<KubernetesPart, KubernetesSighting>, "agentId" | "room" | "onDropped" | "clock" | "log">;

/** Joins a sighting of a cluster that comes in parts. */
export type Sightings = Assembly<KubernetesPart, KubernetesSighting>;

export function createSightings(options: SightingsOptions): Sightings {
  return createAssembly({ ...options, where: "kubernetes_observed", what: "sighting of a cluster", begin: joinObjects });
}

/** The facts of the cluster are those of the first part; a kind is not seen if a part says so. */
function joinObjects({ sighting: first }: KubernetesPart): Joining<KubernetesPart, KubernetesSighting> {
  const whole: KubernetesSighting = { ...first, objects: { ...first.objects }, removed: {} };
  for (const kind of KUBERNETES_OBJECT_KINDS) Object.assign(whole.objects, { [kind]: [] });
  return {
    faultOf({ sighting }) {
      if (sighting.isComplete !== whole.isComplete || sighting.clusterId !== whole.clusterId) return "contradicts the parts before";
      const full = KUBERNETES_OBJECT_KINDS.find((kind) => sizeOf(whole, kind) + sizeOf(sighting, kind) > MAX_OBJECTS[kind] * 2);
      return full && `makes a listing of too many ${full}`;
    },
    add({ sighting }) {
      whole.unseen = withUnseen(whole.unseen, sighting.unseen);
      for (const kind of KUBERNETES_OBJECT_KINDS) append(whole.objects, sighting.objects, kind);
      for (const kind of KUBERNETES_OBJECT_KINDS) {
        const ids = sighting.removed[kind];
        if (ids !== undefined) whole.removed[kind] = [...(whole.removed[kind] ?? []), ...ids];
      }
    },
    whole: () => whole,
  };
}

/** Removed objects count too: an agent names each object once. */
function sizeOf({ objects, removed }: KubernetesSighting, kind: KubernetesObjectKind): number {
  return objects[kind].length + (removed[kind]?.length ?? 0);
}

function append<Kind extends KubernetesObjectKind>(
  to: Pick<KubernetesObjects, Kind>,
  from: Pick<KubernetesObjects, Kind>,
  kind: Kind,
): void {
  const list: KubernetesObjects[Kind][number][] = to[kind];
  for (const each of from[kind]) list.push(each);
}
