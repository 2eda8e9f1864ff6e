import { isDeepStrictEqual } from "node:util";
import type { Event } from "../../events.ts";
import { type Shown, type ActiveKubernetesAlert, overEvent, problemEvent, problemOf } from "./changes.ts";
import { type Cluster, seesAll } from "./cluster.ts";
import type { Delta, Inventory } from "./inventory.ts";
import { addTo, isInScope, isThere, judge, partsOf, type Scope, scopeOf, takesLong, timeScope, wholeScope, withGone } from "./judge.ts";
import {
  ALERT_RULES,
  type KubernetesProblem,
  type Memory,
  newMemory,
  problemKey,
  resumeIncidents,
  createRunTimes,
  type RunTimes,
} from "./problem.ts";

/** A problem, and who showed it when it was last published. */
interface Published {
  problem: KubernetesProblem;
  agentId: string | null;
}

/** What is held of a cluster beside its objects. */
export interface Kept {
  cluster: Cluster | undefined;
  shown: Shown | undefined;
  memory: Memory;
  /** What was published as wrong, by key. */
  published: Map<string, Published>;
  /** What was alerted before our start is taken up with the first look. */
  isResumed: boolean;
  /** `underway` while all of it is judged in parts. */
  judged: "not" | "underway" | "all";
  /** Its pods were seen since our start. */
  hasSeenPods: boolean;
  runTimes: RunTimes;
  /** The alerts of clusters that were active before our start. */
  active: () => readonly ActiveKubernetesAlert[];
}

/** What is to be judged, and what changed; without a change it is what time alone makes well or wrong. */
export interface ToJudge {
  entry: Kept;
  cluster: Cluster;
  scope: Scope;
  delta: Delta | undefined;
}

export function newKept(active: Kept["active"]): Kept {
  return {
    ...{ cluster: undefined, shown: undefined, memory: newMemory(), published: new Map(), isResumed: false },
    ...{ judged: "not", hasSeenPods: false, runTimes: createRunTimes(), active },
  };
}

/** What is to be judged after a change, or after some time. */
export function scopeAfter(delta: Delta | undefined, entry: Kept, inventory: Inventory): Scope {
  const scope =
    entry.judged === "not" ? wholeScope(inventory) : delta === undefined ? timeScope(inventory, entry.memory) : scopeOf(delta, inventory);
  if (delta !== undefined) return withGone(scope, delta);
  for (const { problem } of entry.published.values()) addTo(scope, problem);
  return scope;
}

/** Judges what a host showed, unless that is so much that it is judged apart, as is what time alone changes. */
export function judgeNews({ entry, cluster, scope, delta }: ToJudge, now: Date): Event[] {
  if (delta === undefined) return [];
  if (takesLong(scope, delta)) {
    entry.judged = "not";
    return [];
  }
  const events = judgeSeen(entry, cluster, { scope, now });
  if (entry.judged === "not") finish(entry, cluster);
  return events;
}

/** Judges some workloads at a time, between which others may be served. */
export function* judgeInParts({ entry, cluster, scope }: ToJudge, now: Date): Generator<Event[]> {
  const isWhole = entry.judged === "not";
  if (isWhole) entry.judged = "underway";
  for (const part of partsOf(scope)) {
    const current = entry.cluster;
    // It is shown by another host since, or by none, or so much of it is new that all is judged again.
    if (current?.isObserved !== true || current.inventory !== cluster.inventory || entry.judged === "not") return;
    yield judgeSeen(entry, current, { scope: part, now });
  }
  if (isWhole) finish(entry, cluster);
}

function finish(entry: Kept, cluster: Cluster): void {
  entry.judged = "all";
  entry.hasSeenPods ||= seesAll(cluster, ["workloads", "pods"]);
}

/** Takes up what was alerted before our start. */
export function resume(entry: Kept, id: string, now: Date): void {
  if (entry.isResumed) return;
  entry.isResumed = true;
  for (const { data } of entry.active().filter(({ clusterId }) => clusterId === id)) {
    entry.published.set(problemKey(data.alert, data.id), { problem: problemOf(data), agentId: data.agent_id });
    entry.memory.since.set(problemKey(data.alert, data.id), new Date(data.since));
    resumeIncidents(entry.memory, data, now);
  }
}

function judgeSeen(entry: Kept, cluster: Cluster, { scope, now }: { scope: Scope; now: Date }): Event[] {
  resume(entry, cluster.id, now);
  const { memory, published } = entry;
  // What was alerted before our start may be gone since, and its kind may be seen only now.
  for (const { problem } of published.values()) if (entry.judged === "not" || !isThere(cluster.inventory, problem)) addTo(scope, problem);
  const isSeen = (alert: KubernetesProblem["alert"]): boolean => seesAll(cluster, ALERT_RULES[alert].judgedBy);
  const found = judge(scope, {
    ...{ memory, alerted: alertedBy(entry), isSeen, isFirst: !entry.hasSeenPods, now },
    ...{ inventory: cluster.inventory, runTimes: entry.runTimes },
  });
  const problems = found.filter(({ alert }) => isSeen(alert));
  const wrong = new Set(problems.map(({ alert, id }) => problemKey(alert, id)));
  const events = problems.flatMap((problem) => publish(entry, cluster, problem, now));
  memory.since.delete(problemKey("api_unreachable", cluster.id));
  for (const [key, { problem }] of published) {
    if (wrong.has(key) || !isInScope(scope, problem) || !isSeen(problem.alert)) continue;
    published.delete(key);
    events.push(overEvent(cluster, problem, now));
  }
  return events;
}

export function publish({ published }: Kept, cluster: Pick<Cluster, "id" | "agentId">, problem: KubernetesProblem, now: Date): Event[] {
  const key = problemKey(problem.alert, problem.id);
  const last = published.get(key);
  const isSame = last !== undefined && isSameProblem(last.problem, problem);
  published.set(key, { problem, agentId: isSame ? last.agentId : cluster.agentId });
  return isSame ? [] : [problemEvent(cluster, problem, now)];
}

export function alertedBy({ published }: Kept) {
  return (alert: KubernetesProblem["alert"], id: string): KubernetesProblem | undefined => published.get(problemKey(alert, id))?.problem;
}

/** Labels and channels too: they decide who is notified, and how urgently. */
function isSameProblem({ since: _one, ...one }: KubernetesProblem, { since: _other, ...other }: KubernetesProblem): boolean {
  return isDeepStrictEqual(one, other);
}
