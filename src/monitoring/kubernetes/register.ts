import { isDeepStrictEqual } from "node:util";
import type { Event } from "../../events.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { changesOf, shownOf, type ActiveKubernetesAlert, endedEvent, problemEvent, problemOf } from "./changes.ts";
import {
  type Cluster,
  type HostView,
  isCutOff,
  isFresh,
  isUnnamed,
  maySpeak,
  seesAll,
  speakerOf,
  STALE_AFTER_MS,
  unnamed,
  whyUnseen,
} from "./cluster.ts";
import { type Delta, deltaBetween, HELD_KINDS, type Inventory } from "./inventory.ts";
import { alertedBy, judgeInParts, judgeNews, type Kept, newKept, publish, resume, scopeAfter, type ToJudge } from "./kept-cluster.ts";
import { unreachable } from "./judge.ts";
import { type KubernetesProblem, problemKey } from "./problem.ts";

/** What a host sees of its cluster, and when it arrived on a clock that only rises. */
export interface Seen {
  agentId: string | null;
  kubernetes: KubernetesSighting;
  observedAt: Date;
  receivedMs: number;
  /** All that it shows, where it {@link Register.needsInventory}. */
  inventory?: Inventory | undefined;
}

/** What hosts showed of their clusters, in memory: each host says it again on connect. */
export interface Register {
  views(): readonly HostView[];
  clusters(): readonly Cluster[];
  /** Whether there is a cluster to judge. */
  isAny(): boolean;
  /** Whether a host shows all of a cluster of which nothing is held yet. */
  needsInventory(seen: Seen): boolean;
  /** Takes what a host sees, its labels without secrets; answers what changed. Of a cluster that is new, `judge` has to follow. */
  take(seen: Seen, now: Date): Event[];
  /** Whether a cluster is seen and was not judged yet. */
  isUnjudged(clusterId: string): boolean;
  /** Judges again what time alone changes, a part at a time, between which others may be served; yields what changed. One round at a time. */
  judge(now: Date, nowMs: number): Generator<Event[]>;
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

/** `active` answers the alerts of clusters that are active, to take up those of before our start. */
export function createRegister({ active }: { active: () => readonly ActiveKubernetesAlert[] }): Register {
  const views = new Map<string | null, HostView>();
  const kept = new Map<string, Kept>();

  function keptOf(id: string): Kept {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const made = newKept(active);
    kept.set(id, made);
    return made;
  }

  const viewsOf = (id: string): HostView[] => [...views.values()].filter(({ clusterId }) => clusterId === id);

  function clusterIdOf({ agentId, kubernetes }: Seen): string {
    return kubernetes.clusterId ?? views.get(agentId)?.clusterId ?? unnamed(agentId);
  }

  function inventoryBefore(seen: Seen): Inventory | undefined {
    const before = views.get(seen.agentId);
    return before?.clusterId === clusterIdOf(seen) ? before.inventory : undefined;
  }

  /** The view of a host after it showed something; what is different by that. */
  function viewAfter(seen: Seen): { view: HostView; delta: Delta | undefined } {
    const { agentId, kubernetes, observedAt, receivedMs } = seen;
    const { standing, reason, unseen } = kubernetes;
    const version = kubernetes.version ?? views.get(agentId)?.version ?? null;
    const head = { agentId, standing, clusterId: clusterIdOf(seen), version, reason, unseen, observedAt, receivedMs };
    const known = inventoryBefore(seen);
    const delta = standing === "watching" ? known?.apply(kubernetes) : undefined;
    // Of a part of a cluster nothing can be decided until all of it was shown.
    const inventory = standing === "standby" ? undefined : (known ?? seen.inventory);
    return { view: { ...head, inventory }, delta };
  }

  function refresh(id: string, nowMs: number): Cluster | undefined {
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

  /** What changed, and what is to be judged by that. `news` is what a host showed that is different; without any it is what time alone changes. */
  function update(
    id: string,
    { now, nowMs, news }: { now: Date; nowMs: number; news?: { agentId: string | null; delta: Delta } | undefined },
  ): { events: Event[]; toJudge?: ToJudge } {
    const entry = keptOf(id);
    const before = entry.cluster;
    const after = refresh(id, nowMs);
    entry.cluster = after;
    if (after?.isObserved !== true) return { events: judgeUnseen(entry, { id, now, nowMs }) };
    const { inventory, agentId } = after;
    if (before !== undefined && before.inventory !== inventory)
      inventory.adopt(
        before.inventory,
        HELD_KINDS.filter((kind) => !seesAll(after, [kind])),
      );
    if (before === undefined || entry.shown === undefined) {
      entry.shown = shownOf(inventory);
      entry.judged = "not";
      return { events: [] };
    }
    const delta =
      before.inventory === inventory ? (news?.agentId === agentId ? news.delta : undefined) : deltaBetween(before.inventory, inventory);
    const events = delta === undefined ? [] : changesOf(delta, { inventory, shown: entry.shown, context: { clusterId: id, agentId, now } });
    if (!before.isObserved || before.inventory !== inventory || !isDeepStrictEqual(before.unseen, after.unseen)) entry.judged = "not";
    return { events, toJudge: { entry, cluster: after, scope: scopeAfter(delta, entry, inventory), delta } };
  }

  /** Of a cluster that nobody shows it can be known that its API server does not answer. */
  function judgeUnseen(entry: Kept, { id, now, nowMs }: { id: string; now: Date; nowMs: number }): Event[] {
    const cutOff = viewsOf(id).find((view) => isCutOff(view) && isFresh(view, nowMs));
    if (cutOff === undefined) {
      entry.memory.since.delete(problemKey("api_unreachable", id));
      return [];
    }
    resume(entry, id, now);
    const problem = unreachable({ id, reason: cutOff.reason }, { memory: entry.memory, now, alerted: alertedBy(entry) });
    return problem === undefined ? [] : publish(entry, { id, agentId: entry.cluster?.agentId ?? cutOff.agentId }, problem, now);
  }

  /** What is under way of it would be published of a host, or a cluster, that is gone. */
  function stopJudging(id: string): Kept {
    const entry = keptOf(id);
    entry.judged = "not";
    return entry;
  }

  /** Ends the alerts of a cluster that no host of ours is part of any more, and forgets it. */
  function dropAlone(id: string, now: Date): Event[] {
    if (!kept.has(id) || viewsOf(id).length > 0) return [];
    const { published } = stopJudging(id);
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
    isAny: () => kept.size > 0,
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
    needsInventory(seen) {
      const { standing, isComplete } = seen.kubernetes;
      return standing === "watching" && isComplete && inventoryBefore(seen) === undefined;
    },
    take(seen, now) {
      const before = views.get(seen.agentId);
      const { view, delta } = viewAfter(seen);
      views.set(seen.agentId, view);
      const isMoved = before !== undefined && before.clusterId !== view.clusterId;
      const { events, toJudge } = update(view.clusterId, {
        ...{ now, nowMs: seen.receivedMs },
        news: delta && { agentId: view.agentId, delta },
      });
      return [
        ...standingChange(before, view, now),
        ...events,
        ...(toJudge === undefined ? [] : judgeNews(toJudge, now)),
        ...(isMoved ? dropAlone(before.clusterId, now) : []),
        ...(view.standing === "watching" && before?.standing !== "watching" && !isUnnamed(view.clusterId)
          ? endLeft(view.agentId, now)
          : []),
      ];
    },
    isUnjudged(clusterId) {
      const entry = kept.get(clusterId);
      return entry?.cluster?.isObserved === true && entry.judged === "not";
    },
    *judge(now, nowMs) {
      for (const id of [...kept.keys()]) {
        const entry = kept.get(id);
        // It went while another was judged.
        if (entry === undefined) continue;
        // A round that failed did not judge all of it.
        if (entry.judged === "underway") entry.judged = "not";
        const { events, toJudge } = update(id, { now, nowMs });
        yield events;
        if (toJudge !== undefined) yield* judgeInParts(toJudge, now);
      }
    },
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
      stopJudging(clusterId);
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
