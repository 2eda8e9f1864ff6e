import type { Observation } from "../observations.ts";
import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesSighting,
} from "../observations/kubernetes.ts";

/** Observations saved in one go; the first ones that wait may be under way. */
export const MAX_BATCH = 100;
/** Observations kept of one host while they cannot be saved; beyond this the oldest are dropped and the next inventory heals. */
const MAX_QUEUED = 10_000;
/** Containers in the inventories among them: an inventory can hold thousands, and a later one replaces an older one. */
const MAX_QUEUED_SIGHTINGS = 50_000;
/** Readings of containers in the ticks among them. A tick counts as at least so many, so that ticks alone never fill the queue. */
const MAX_QUEUED_READINGS = 500_000;
const LEAST_READINGS = 100;
/** Checks of endpoints among them, so that they never push out what containers did. */
const MAX_QUEUED_CHECKS = 5_000;

/** Appends within the bounds; answers how many had to be dropped for it. */
export function enqueue(waiting: Observation[], observation: Observation): number {
  if (joinCluster(waiting, observation)) return 0;
  dropSuperseded(waiting, observation);
  waiting.push(observation);
  const dropped = dropOldest(waiting, observation.kind);
  if (waiting.length <= MAX_QUEUED) return dropped;
  const oldest = waiting.findIndex(({ kind }) => kind !== "kubernetes.observed");
  waiting.splice(Math.max(oldest, 0), 1);
  return dropped + 1;
}

/** What waits of a cluster is made one, so that nothing of it is ever dropped: only a new connection would say it again. */
function joinCluster(waiting: Observation[], observation: Observation): boolean {
  if (observation.kind !== "kubernetes.observed") return false;
  // The first ones may be under way.
  const place = waiting.findLastIndex(({ kind }, index) => kind === observation.kind && index >= MAX_BATCH);
  const last = waiting[place];
  const joined = last?.kind === observation.kind ? joinSightings(last.kubernetes, observation.kubernetes) : undefined;
  if (joined === undefined) return false;
  waiting.splice(place, 1, { ...observation, kubernetes: joined });
  return true;
}

/** Of these only the latest of a host counts: each says everything. */
const SAYS_ALL: ReadonlySet<Observation["kind"]> = new Set(["host.sampled", "swarm.observed"]);

/** A growing watch repeats all that it reported before. */
function dropSuperseded(waiting: Observation[], observation: Observation): void {
  const last = waiting.at(-1);
  if (observation.kind === "host.watched" && last?.kind === "host.watched" && last.since.getTime() === observation.since.getTime())
    waiting.pop();
  if (!SAYS_ALL.has(observation.kind)) return;
  const known = waiting.findIndex(({ kind }) => kind === observation.kind);
  if (known !== -1) waiting.splice(known, 1);
}

/** What may wait in all of a kind. */
const MOST: Partial<Record<Observation["kind"], number>> = {
  "container.inventory": MAX_QUEUED_SIGHTINGS,
  "resources.sampled": MAX_QUEUED_READINGS,
  "endpoint.checked": MAX_QUEUED_CHECKS,
};

function sizeOf(observation: Observation): number {
  if (observation.kind === "container.inventory") return observation.containers.length;
  return observation.kind === "resources.sampled" ? Math.max(observation.readings.externalIds.length, LEAST_READINGS) : 1;
}

/** Keeps the newest of a kind, and of the older ones what fits. */
function dropOldest(waiting: Observation[], kind: Observation["kind"]): number {
  const most = MOST[kind];
  if (most === undefined) return 0;
  const same = waiting.filter((each) => each.kind === kind);
  let count = same.reduce((sum, each) => sum + sizeOf(each), 0);
  let dropped = 0;
  for (const each of same.slice(0, -1)) {
    if (count <= most) break;
    waiting.splice(waiting.indexOf(each), 1);
    count -= sizeOf(each);
    dropped += 1;
  }
  return dropped;
}

/** Removes what was saved; the oldest of it may have been dropped meanwhile. */
export function forget(queue: Observation[], saved: readonly Observation[]): void {
  const done = new Set(saved);
  const kept = queue.findIndex((observation) => !done.has(observation));
  queue.splice(0, kept === -1 ? queue.length : kept);
}

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
