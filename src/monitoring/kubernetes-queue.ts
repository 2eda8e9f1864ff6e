import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesSighting,
} from "../observations/kubernetes.ts";

/** What two sightings of a cluster that follow each other say together; undefined where they cannot be made one. */
export function joinSightings(earlier: KubernetesSighting, later: KubernetesSighting): KubernetesSighting | undefined {
  if (later.isComplete) return keepEvents(earlier, later);
  if (earlier.standing !== later.standing || earlier.clusterId !== later.clusterId) return undefined;
  const joined: KubernetesSighting = { ...later, isComplete: earlier.isComplete, objects: { ...later.objects }, removed: {} };
  for (const kind of KUBERNETES_OBJECT_KINDS) {
    const gone = new Set(later.removed[kind]);
    overlay(joined.objects, kind, { earlier: earlier.objects, later: later.objects, gone });
    if (earlier.isComplete) continue;
    const named = new Set(later.objects[kind].map(({ id }) => id));
    const ids = [...(earlier.removed[kind] ?? []).filter((id) => !named.has(id)), ...gone];
    if (ids.length > 0) joined.removed[kind] = [...new Set(ids)];
  }
  return joined;
}

/** A cluster forgets its events: those of before are still to be recorded. */
function keepEvents(earlier: KubernetesSighting, later: KubernetesSighting): KubernetesSighting {
  if (earlier.clusterId !== later.clusterId || earlier.objects.events.length === 0) return later;
  const objects = { ...later.objects };
  overlay(objects, "events", { earlier: earlier.objects, later: later.objects, gone: new Set() });
  return { ...later, objects };
}

type Of<Kind extends KubernetesObjectKind> = Pick<KubernetesObjects, Kind>;

function overlay<Kind extends KubernetesObjectKind>(
  into: Of<Kind>,
  kind: Kind,
  { earlier, later, gone }: { earlier: Of<Kind>; later: Of<Kind>; gone: ReadonlySet<string> },
): void {
  const all: readonly KubernetesObjects[Kind][number][] = [...earlier[kind], ...later[kind]];
  const byId = new Map(all.map((each) => [each.id, each]));
  for (const id of gone) byId.delete(id);
  into[kind] = [...byId.values()] as KubernetesObjects[Kind];
}
