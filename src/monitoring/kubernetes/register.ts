import { isDeepStrictEqual } from "node:util";
import type { Event } from "../../events.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { type ActiveKubernetesAlert, endedEvent, overEvent, problemEvent, problemOf } from "./alert-events.ts";
import { changesOf, type Shown, shownOf } from "./changes.ts";
import {
  type Cluster,
  type HostView,
  isCutOff,
  isHeard,
  isUnnamed,
  maySpeak,
  seesAll,
  speakerOf,
  STALE_AFTER_MS,
  unnamed,
  whyUnseen,
} from "./cluster.ts";
import { createInventory, type Delta, deltaBetween, HELD_KINDS } from "./inventory.ts";
import { addTo, isInScope, isThere, judge, type Scope, scopeOf, takesLong, timeScope, unreachable, wholeScope, withGone } from "./judge.ts";
import { type Memory, newMemory, problemKey, resumeIncidents } from "./memory.ts";
import { JUDGED_BY, type KubernetesProblem } from "./problem.ts";
import { createRunTimes } from "./schedule.ts";

/** What a host sees of its cluster, and when it arrived on a clock that only rises. */
export interface Seen {
  agentId: string | null;
  kubernetes: KubernetesSighting;
  observedAt: Date;
  receivedMs: number;
}

/** What hosts showed of their clusters, in memory: each host says it again on connect. */
export interface Register {
  views(): readonly HostView[];
  clusters(): readonly Cluster[];
  /** Takes what a host sees, its labels without secrets; answers what changed. Of a cluster that is new, `judge` has to follow. */
  take(seen: Seen, now: Date): Event[];
  /** Whether a cluster is seen and was not judged yet. */
  isUnjudged(clusterId: string): boolean;
  /** Judges anew what time alone changes; answers what changed. */
  judge(now: Date, nowMs: number): Event[];
  /** The cluster that a host shows, by the id that it has here; undefined until it showed one. */
  clusterOf(agentId: string | null): string | undefined;
  /** Whether a host may still speak for its cluster; undefined of one that has shown none since the start. */
  isWatching(agentId: string | null, nowMs: number): boolean | undefined;
  /** Other hosts that show the cluster of an agent, by cluster. */
  othersOf(agentId: string): Map<string, string | null>;
  /** Of a cluster, or of all. */
  problems(clusterId?: string): KubernetesProblem[];
  /** The events of all that is wrong now. */
  announce(now: Date): Event[];
  forgetHost(agentId: string, nowMs: number): void;
}

/** A problem, and who showed it when it was last published. */
interface Published {
  problem: KubernetesProblem;
  agentId: string | null;
}

interface Kept {
  cluster: Cluster | undefined;
  shown: Shown | undefined;
  memory: Memory;
  /** What was published as wrong, by key. */
  published: Map<string, Published>;
  /** What was alerted before our start is taken up with the first look. */
  isResumed: boolean;
  isJudged: boolean;
  /** Its pods were seen since our start. */
  hasSeenPods: boolean;
}

/** `active` answers the alerts of clusters that are active, to take up those of before our start. */
export function createRegister({ active }: { active: () => readonly ActiveKubernetesAlert[] }): Register {
  const views = new Map<string | null, HostView>();
  const kept = new Map<string, Kept>();
  const runTimes = createRunTimes();

  function keptOf(id: string): Kept {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const made: Kept = {
      ...{ cluster: undefined, shown: undefined, memory: newMemory(), published: new Map(), isResumed: false },
      ...{ isJudged: false, hasSeenPods: false },
    };
    kept.set(id, made);
    return made;
  }

  const viewsOf = (id: string): HostView[] => [...views.values()].filter(({ clusterId }) => clusterId === id);

  /** The view of a host after it showed something; what is different by that. */
  function viewAfter({ agentId, kubernetes, observedAt, receivedMs }: Seen): { view: HostView; delta: Delta | undefined } {
    const { standing, version, reason, unseen, isComplete } = kubernetes;
    const before = views.get(agentId);
    const clusterId = kubernetes.clusterId ?? before?.clusterId ?? unnamed(agentId);
    const known = before?.clusterId === clusterId ? before.inventory : undefined;
    const head = { agentId, standing, clusterId, version: version ?? before?.version ?? null, reason, unseen, observedAt, receivedMs };
    // Of a part of a cluster nothing can be told until all of it was shown.
    const inventory = standing === "watching" && isComplete ? (known ?? createInventory()) : standing === "standby" ? undefined : known;
    const delta = standing === "watching" ? inventory?.apply(kubernetes) : undefined;
    return { view: { ...head, inventory }, delta };
  }

  function look(id: string, nowMs: number): Cluster | undefined {
    const { cluster } = keptOf(id);
    const all = viewsOf(id);
    const hosts = all.map(({ agentId, standing, reason }) => ({ agentId, standing, reason }));
    const speaker = speakerOf(all, cluster?.agentId, nowMs);
    if (speaker?.inventory !== undefined) {
      const { agentId, inventory, version, unseen, observedAt } = speaker;
      return { id, inventory, version, unseen, observedAt, agentId, isObserved: true, reason: null, hosts };
    }
    return cluster && { ...cluster, isObserved: false, reason: whyUnseen(all, nowMs), hosts };
  }

  /** `delta` is what `speaker` showed that is different; without one all is judged. */
  function update(
    id: string,
    { now, nowMs, news }: { now: Date; nowMs: number; news?: { agentId: string | null; delta: Delta } | undefined },
  ): Event[] {
    const entry = keptOf(id);
    const before = entry.cluster;
    const after = look(id, nowMs);
    if (after?.isObserved !== true) {
      entry.cluster = after;
      return judgeUnseen(entry, { id, now, nowMs });
    }
    entry.cluster = after;
    const { inventory, agentId } = after;
    const context = { clusterId: id, agentId, now };
    if (before !== undefined && before.inventory !== inventory)
      inventory.adopt(
        before.inventory,
        HELD_KINDS.filter((kind) => !seesAll(after, [kind])),
      );
    if (before === undefined || entry.shown === undefined) {
      // All of it takes long, so that it is judged apart.
      entry.shown = shownOf(inventory);
      entry.isJudged = false;
      return [];
    }
    const delta =
      before.inventory === inventory ? (news?.agentId === agentId ? news.delta : undefined) : deltaBetween(before.inventory, inventory);
    const changes = delta === undefined ? [] : changesOf(delta, { inventory, shown: entry.shown, context });
    const isAsBefore =
      entry.isJudged && before.isObserved && before.inventory === inventory && isDeepStrictEqual(before.unseen, after.unseen);
    const scope = !isAsBefore
      ? wholeScope(inventory)
      : delta === undefined
        ? timeScope(inventory, entry.memory)
        : scopeOf(delta, inventory);
    if (delta !== undefined && takesLong(scope, delta)) {
      entry.isJudged = false;
      return changes;
    }
    if (delta === undefined) for (const { problem } of entry.published.values()) addTo(scope, problem);
    return [...changes, ...judgeSeen(entry, after, { scope: delta === undefined ? scope : withGone(scope, delta), now })];
  }

  function resume(entry: Kept, id: string, now: Date): void {
    if (entry.isResumed) return;
    entry.isResumed = true;
    for (const { data } of active().filter(({ clusterId }) => clusterId === id)) {
      entry.published.set(problemKey(data.alert, data.id), { problem: problemOf(data), agentId: data.agent_id });
      entry.memory.since.set(problemKey(data.alert, data.id), new Date(data.since));
      resumeIncidents(entry.memory, data, now);
    }
  }

  function judgeSeen(entry: Kept, cluster: Cluster, { scope, now }: { scope: Scope; now: Date }): Event[] {
    resume(entry, cluster.id, now);
    const { memory, published } = entry;
    // What was alerted before our start may be gone since, and its kind may be seen only now.
    for (const { problem } of published.values()) if (!entry.isJudged || !isThere(cluster.inventory, problem)) addTo(scope, problem);
    const isSeen = (alert: KubernetesProblem["alert"]): boolean => seesAll(cluster, JUDGED_BY[alert]);
    const found = judge(scope, {
      ...{ memory, alerted: alertedBy(entry), isSeen, isFirst: !entry.hasSeenPods, now, inventory: cluster.inventory, runTimes },
    });
    entry.isJudged = true;
    entry.hasSeenPods ||= seesAll(cluster, ["workloads", "pods"]);
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

  /** Of a cluster that nobody shows it can be known that its API server does not answer. */
  function judgeUnseen(entry: Kept, { id, now, nowMs }: { id: string; now: Date; nowMs: number }): Event[] {
    const cutOff = viewsOf(id).find((view) => isCutOff(view) && isHeard(view, nowMs));
    if (cutOff === undefined) {
      entry.memory.since.delete(problemKey("api_unreachable", id));
      return [];
    }
    resume(entry, id, now);
    const problem = unreachable({ id, reason: cutOff.reason }, { memory: entry.memory, now, alerted: alertedBy(entry) });
    return problem === undefined ? [] : publish(entry, { id, agentId: entry.cluster?.agentId ?? cutOff.agentId }, problem, now);
  }

  function publish({ published }: Kept, cluster: Pick<Cluster, "id" | "agentId">, problem: KubernetesProblem, now: Date): Event[] {
    const key = problemKey(problem.alert, problem.id);
    const last = published.get(key);
    const isSame = last !== undefined && isSameProblem(last.problem, problem);
    published.set(key, { problem, agentId: isSame ? last.agentId : cluster.agentId });
    return isSame ? [] : [problemEvent(cluster, problem, now)];
  }

  /** Ends the alerts of a cluster that no host of ours is part of any more, and forgets it. */
  function dropAlone(id: string, now: Date): Event[] {
    if (!kept.has(id) || viewsOf(id).length > 0) return [];
    const { published } = keptOf(id);
    kept.delete(id);
    return [...published.values()].map(({ problem, agentId }) => endedEvent({ id, agentId }, problem, now));
  }

  /** Ends alerts of before our start that a host raised which now watches another cluster, as far as none of ours is in theirs. */
  function endLeft(agentId: string | null, now: Date): Event[] {
    const seen = new Set([...views.values()].map(({ clusterId }) => clusterId));
    const left = active().filter(({ clusterId, data }) => data.agent_id === agentId && !seen.has(clusterId));
    return left.map(({ clusterId, data }) => endedEvent({ id: clusterId, agentId }, problemOf(data), now));
  }

  function standingChange(before: HostView | undefined, view: HostView, now: Date): Event[] {
    if (before?.standing === view.standing && before.reason === view.reason && before.version === view.version) return [];
    const { agentId, clusterId, standing, version, reason } = view;
    const data = { agent_id: agentId, cluster_id: isUnnamed(clusterId) ? null : clusterId, standing, version, reason };
    return [
      { type: "kubernetes.status_changed", data: { ...data, previous_standing: before?.standing ?? null, timestamp: now.toISOString() } },
    ];
  }

  return {
    views: () => [...views.values()],
    clusters: () => [...kept.values()].flatMap(({ cluster }) => cluster ?? []),
    clusterOf: (agentId) => views.get(agentId)?.clusterId,
    isWatching(agentId, nowMs) {
      const view = views.get(agentId);
      return view && maySpeak(view, nowMs);
    },
    othersOf(agentId) {
      const clusterId = views.get(agentId)?.clusterId;
      const other = [...views.values()].find((view) => view.clusterId === clusterId && view.agentId !== agentId);
      return new Map(clusterId === undefined || other === undefined ? [] : [[clusterId, other.agentId]]);
    },
    take(seen, now) {
      const before = views.get(seen.agentId);
      const { view, delta } = viewAfter(seen);
      views.set(seen.agentId, view);
      const isMoved = before !== undefined && before.clusterId !== view.clusterId;
      return [
        ...standingChange(before, view, now),
        ...update(view.clusterId, { now, nowMs: seen.receivedMs, news: delta && { agentId: view.agentId, delta } }),
        ...(isMoved ? dropAlone(before.clusterId, now) : []),
        ...(view.standing === "watching" && before?.standing !== "watching" && !isUnnamed(view.clusterId)
          ? endLeft(view.agentId, now)
          : []),
      ];
    },
    isUnjudged(clusterId) {
      const entry = kept.get(clusterId);
      return entry?.cluster?.isObserved === true && !entry.isJudged;
    },
    judge: (now, nowMs) => [...kept.keys()].flatMap((id) => update(id, { now, nowMs })),
    problems: (clusterId) =>
      [...kept]
        .filter(([id]) => clusterId === undefined || id === clusterId)
        .flatMap(([, { published }]) => [...published.values()].map(({ problem }) => problem)),
    announce: (now) =>
      [...kept].flatMap(([id, { published }]) =>
        [...published.values()].map(({ problem, agentId }) => problemEvent({ id, agentId }, problem, now)),
      ),
    forgetHost(agentId, nowMs) {
      const clusterId = views.get(agentId)?.clusterId;
      views.delete(agentId);
      if (clusterId === undefined) return;
      const isLast = !viewsOf(clusterId).some(({ receivedMs }) => nowMs - receivedMs < STALE_AFTER_MS);
      if (isLast) kept.delete(clusterId);
      // Alerts that were about its host went with it: they are raised again about another.
      else dropPublished(clusterId, agentId);
    },
  };

  function dropPublished(id: string, agentId: string): void {
    const published = kept.get(id)?.published;
    for (const [key, last] of published ?? []) if (last.agentId === agentId) published?.delete(key);
  }
}

export type { ActiveKubernetesAlert };

function alertedBy({ published }: Kept) {
  return (alert: KubernetesProblem["alert"], id: string): KubernetesProblem | undefined => published.get(problemKey(alert, id))?.problem;
}

/** Labels and channels too: they decide who is notified, and how urgently. */
function isSameProblem({ since: _one, ...one }: KubernetesProblem, { since: _other, ...other }: KubernetesProblem): boolean {
  return isDeepStrictEqual(one, other);
}
