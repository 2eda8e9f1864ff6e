import type { KubernetesPod, PodContainer } from "../../observations/kubernetes-workloads.ts";
import { endWords, isCrashLoop, isEvicted, times } from "./explain.ts";
import { type Context, problemKey, recentIncidents } from "./problem.ts";

/** So many restarts of one container within ten minutes are a loop. */
const LOOP_RESTARTS = 3;
const MOST_AT_ONCE = 10;

/** What happened to pods lately, in words. It lasts ten minutes beyond the last time. */
interface Incidents {
  words: string;
  cause: string | null;
}

/** Nothing of it is there any more, and it is alerted: the words of the alert are all that is known. */
export type AsBefore = "as before";

/** Containers that keep crashing: the kubelet says so, or they were restarted three times in ten minutes. */
export function crashLoopOf(id: string, pods: readonly KubernetesPod[], context: Context): Incidents | AsBefore | undefined {
  const { memory, now, alerted } = context;
  const key = problemKey("crash_loop", id);
  const recent = recentIncidents(memory, key, { seen: restartsSeen(id, pods, context), now });
  const looping = pods.flatMap((pod) =>
    pod.deletingSince === null ? pod.containers.filter(isCrashLoop).map((container) => ({ pod, container })) : [],
  );
  if (recent === 0 && looping.length === 0) return undefined;
  const mostRestarts = restartsOfWorst(memory.incidents.get(key) ?? new Map());
  const isAlerted = alerted("crash_loop", id) !== undefined;
  if (looping.length === 0 && mostRestarts < LOOP_RESTARTS && !(isAlerted && recent > 0)) return undefined;
  const [first = lastRestarted(pods)] = looping;
  if (first === undefined)
    return isAlerted ? "as before" : { words: `a container was restarted ${times(mostRestarts)} in 10 minutes`, cause: null };
  const { pod, container } = first;
  const words = `${container.name} of ${pod.name} was restarted ${times(container.restartCount)}`;
  const end = container.lastEnd ?? container.end;
  return { words, cause: end === null ? null : [endWords(end), end.message].filter(Boolean).join(": ") };
}

/** Restarts since the look before; of a container that was not seen before the last one, if it was lately. */
function restartsSeen(id: string, pods: readonly KubernetesPod[], { memory, now }: Context): Map<string, Date> {
  const before = memory.restarts.get(id) ?? new Map<string, number>();
  const counts = new Map<string, number>();
  const seen = new Map<string, Date>();
  for (const pod of pods)
    for (const { name, restartCount, lastEnd } of pod.containers) {
      const place = `${pod.id}/${name}`;
      counts.set(place, restartCount);
      const known = before.get(place);
      const at = lastEnd?.finishedAt ?? now;
      if (known === undefined) {
        if (restartCount > 0 && lastEnd?.finishedAt != null) seen.set(`${place}#${restartCount}`, lastEnd.finishedAt);
      } else
        for (let count = Math.max(known, restartCount - MOST_AT_ONCE) + 1; count <= restartCount; count += 1)
          seen.set(`${place}#${count}`, at);
    }
  if (counts.size === 0) memory.restarts.delete(id);
  else memory.restarts.set(id, counts);
  return seen;
}

/** Of the container that was restarted most. */
function restartsOfWorst(incidents: ReadonlyMap<string, Date>): number {
  const byPlace = Map.groupBy(incidents.keys(), (what) => what.slice(0, what.lastIndexOf("#")));
  return Math.max(0, ...[...byPlace.values()].map(({ length }) => length));
}

function lastRestarted(pods: readonly KubernetesPod[]): { pod: KubernetesPod; container: PodContainer } | undefined {
  return pods
    .flatMap((pod) => pod.containers.map((container) => ({ pod, container })))
    .filter(({ container }) => container.restartCount > 0)
    .toSorted((a, b) => (b.container.lastEnd?.finishedAt?.getTime() ?? 0) - (a.container.lastEnd?.finishedAt?.getTime() ?? 0))[0];
}

/** Containers that were killed since they used more memory than they may. */
export function outOfMemoryOf(
  id: string,
  pods: readonly KubernetesPod[],
  { memory, now, alerted }: Context,
): Incidents | AsBefore | undefined {
  const seen = new Map<string, Date>();
  let last: { pod: KubernetesPod; container: PodContainer; at: Date } | undefined;
  for (const pod of pods)
    for (const container of pod.containers)
      for (const end of [container.end, container.lastEnd]) {
        if (end?.reason !== "OOMKilled" || end.finishedAt === null) continue;
        seen.set(`${pod.id}/${container.name} ${end.finishedAt.toISOString()}`, end.finishedAt);
        if (last === undefined || end.finishedAt > last.at) last = { pod, container, at: end.finishedAt };
      }
  const recent = recentIncidents(memory, problemKey("oom", id), { seen, now });
  if (recent === 0) return undefined;
  if (last === undefined) return alerted("oom", id) === undefined ? { words: `${times(recent)} in 10 minutes`, cause: null } : "as before";
  const { memoryBytes: limit } = last.container.limits;
  return {
    words: `${last.container.name} of ${last.pod.name} was killed`,
    cause: limit === null ? "it has no memory limit: its node ran out of memory" : `its limit is ${mebibytes(limit)} MiB`,
  };
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0);
}

/** Pods that their node got rid of. The cluster keeps them long after that. */
export function evictionsOf(
  id: string,
  pods: readonly KubernetesPod[],
  { memory, now, isFirst, alerted }: Context,
): Incidents | AsBefore | undefined {
  const key = problemKey("evicted", id);
  const known = memory.evicted.get(id);
  const evicted = pods.filter(isEvicted);
  const moments = new Map(evicted.map((pod) => [pod.id, known?.get(pod.id) ?? evictedAt(pod) ?? guess(pod)]));
  function guess({ createdAt }: KubernetesPod): Date {
    return isFirst ? (memory.since.get(key) ?? createdAt ?? now) : now;
  }
  if (moments.size === 0) memory.evicted.delete(id);
  else memory.evicted.set(id, moments);
  const recent = recentIncidents(memory, key, { seen: moments, now });
  if (recent === 0) return undefined;
  const last = evicted.toSorted((a, b) => (moments.get(b.id)?.getTime() ?? 0) - (moments.get(a.id)?.getTime() ?? 0))[0];
  if (last === undefined && alerted("evicted", id) !== undefined) return "as before";
  return { words: recent === 1 ? "a pod was" : `${recent} pods were`, cause: last?.message ?? null };
}

function evictedAt({ containers }: KubernetesPod): Date | undefined {
  const ends = containers.flatMap(({ end }) => end?.finishedAt ?? []);
  return ends.length === 0 ? undefined : new Date(Math.max(...ends.map((end) => end.getTime())));
}
