import type { Event } from "../../events.ts";
import type { SwarmSighting, SwarmStanding } from "../../observations/swarm.ts";
import { maskSecrets } from "../../platform/secrets.ts";
import { type ActiveSwarmAlert, changesBetween, overEvent, problemEvent } from "./changes.ts";
import { lostKey, quorumLost } from "./node-problems.ts";
import { type Memory, newMemory, problemKey, type SwarmProblem } from "./problem.ts";
import { problemsOf } from "./problems.ts";
import { type Cluster, type HostView, ownerOf, SETTLING_MS, shownSince, speakerOf, STALE_AFTER_MS, whyUnseen } from "./replicas.ts";

/** What hosts showed of their swarms, in memory: each host says it again on connect. */
export interface Register {
  views(): readonly HostView[];
  /** What a host showed last; undefined when it has shown nothing since the start. */
  view(agentId: string | null): HostView | undefined;
  clusters(): readonly Cluster[];
  cluster(id: string): Cluster | undefined;
  /** The cluster to which a service or a node belongs, whichever name it; null when that cannot be decided, undefined when none does. */
  ownerOf(id: string): string | null | undefined;
  /** Whether there is a cluster to judge. */
  isAny(): boolean;
  /** Another number after anything may have changed. */
  version(): number;
  /** Takes what a host sees; answers what changed. */
  take(view: Omit<HostView, "clusterId">, now: Date): Event[];
  /** Judges again what time alone changes; answers what changed. */
  judge(now: Date, nowMs: number): Event[];
  /** Of a cluster, or of all. */
  problems(clusterId?: string): SwarmProblem[];
  /** The events of all that is wrong now. */
  announce(now: Date): Event[];
  forgetHost(agentId: string, nowMs: number): void;
}

/** A problem, and whose manager showed it when it was last published. */
interface Published {
  problem: SwarmProblem;
  agentId: string | null;
}

interface Kept {
  cluster: Cluster | undefined;
  /** Since when it has shown each of its services and nodes. */
  shownMs: ReadonlyMap<string, number>;
  memory: Memory;
  /** What was published as wrong, by key. */
  published: Map<string, Published>;
  /** What was alerted before our start is taken up with the first refresh. */
  isResumed: boolean;
}

/** `active` answers the alerts of swarms that are active, to take up those of before our start. */
export function createRegister({ active, startedMs = 0 }: { active: () => readonly ActiveSwarmAlert[]; startedMs?: number }): Register {
  const views = new Map<string | null, HostView>();
  const kept = new Map<string, Kept>();
  let version = 0;

  function keptOf(id: string): Kept {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const made: Kept = { cluster: undefined, shownMs: new Map(), memory: newMemory(), published: new Map(), isResumed: false };
    kept.set(id, made);
    return made;
  }

  const viewsOf = (id: string): HostView[] => [...views.values()].filter(({ clusterId }) => clusterId === id);

  /** What holds of a cluster by what its hosts showed last; undefined until a manager showed it. */
  function refresh(id: string, nowMs: number): Cluster | undefined {
    const { cluster } = keptOf(id);
    const ofCluster = viewsOf(id);
    const hosts = hostsOf(ofCluster);
    const speaker = speakerOf(ofCluster, { known: cluster?.topology, nowMs });
    if (speaker?.swarm.topology != null) {
      const { agentId, observedAt } = speaker;
      return { id, topology: speaker.swarm.topology, observedAt, agentId, isObserved: true, reason: null, hosts };
    }
    return cluster && { ...cluster, isObserved: false, reason: whyUnseen(ofCluster, nowMs), hosts };
  }

  function update(id: string, now: Date, nowMs: number): Event[] {
    const entry = keptOf(id);
    const before = entry.cluster;
    const after = refresh(id, nowMs);
    if (after === undefined) return judgeUnseen(entry, id, now, nowMs);
    entry.cluster = after;
    // Which of two was first is not known of what came in the first minute.
    if (before?.topology !== after.topology)
      entry.shownMs = shownSince(entry.shownMs, after.topology, Math.max(nowMs, startedMs + SETTLING_MS));
    return [...changesBetween(before, after, now), ...judgeCluster(entry, after, { now, isLost: isLost(id, nowMs) })];
  }

  /** Of a cluster that no manager showed since the start a lost quorum is all that can be known. */
  function judgeUnseen(entry: Kept, id: string, now: Date, nowMs: number): Event[] {
    const ofCluster = viewsOf(id);
    const lost = ofCluster.find(({ swarm }) => swarm.standing === "no_quorum");
    if (lost === undefined) return [];
    const { agentId, observedAt } = lost;
    const topology = { services: [], tasks: [], nodes: [] };
    const reason = whyUnseen(ofCluster, nowMs);
    const cluster = { id, topology, observedAt, agentId, isObserved: false, reason, hosts: hostsOf(ofCluster) };
    return judgeCluster(entry, cluster, { now, isLost: isLost(id, nowMs) });
  }

  /** Whether a host says now that there is no leader. */
  function isLost(id: string, nowMs: number): boolean {
    return viewsOf(id).some(({ swarm, receivedMs }) => swarm.standing === "no_quorum" && nowMs - receivedMs < STALE_AFTER_MS);
  }

  function judgeCluster(entry: Kept, cluster: Cluster, { now, isLost: isQuorumLost }: { now: Date; isLost: boolean }): Event[] {
    const { memory, published } = entry;
    if (!cluster.isObserved) {
      if (!isQuorumLost) memory.since.delete(lostKey(cluster.id));
      const lost = isQuorumLost ? quorumLost(cluster, { memory, now }) : undefined;
      return lost === undefined ? [] : publish(entry, cluster, lost, now);
    }
    const isOwn = ownProblems(cluster.id);
    const resumed = entry.isResumed ? [] : active().filter(({ clusterId, data }) => clusterId === cluster.id && isOwn(data));
    entry.isResumed = true;
    for (const { data } of resumed) memory.since.set(problemKey(data.alert, data.id), new Date(data.since));
    const alerted = new Set([...published.keys(), ...resumed.map(({ data }) => problemKey(data.alert, data.id))]);
    const problems = problemsOf(cluster, { memory, alerted, now }).filter(isOwn);
    const wrong = new Set(problems.map(({ alert, id }) => problemKey(alert, id)));
    const events = problems.flatMap((problem) => publish(entry, cluster, problem, now));
    for (const { data } of resumed) if (!wrong.has(problemKey(data.alert, data.id))) events.push(overEvent(data, cluster, now));
    for (const [key, { problem }] of published) {
      if (wrong.has(key) || !isOwn(problem)) continue;
      published.delete(key);
      events.push(overEvent(problemEvent(cluster, problem, now).data, cluster, now));
    }
    return events;
  }

  /** Alerts are named by what they are about: one cluster may not raise or end that of another. */
  function ownProblems(id: string): (about: Pick<SwarmProblem, "alert" | "id" | "entity_type">) => boolean {
    let others: Set<string> | undefined;
    const isOthers = (key: string): boolean => {
      others ??= new Set(active().flatMap(({ clusterId, data }) => (clusterId === id ? [] : [problemKey(data.alert, data.id)])));
      return others.has(key);
    };
    return ({ alert, id: about, entity_type: type }) => {
      if (type === "swarm") return true;
      const owner = ownerOf(kept, about);
      return (owner === undefined || owner === id) && !isOthers(problemKey(alert, about));
    };
  }

  function publish({ published }: Kept, cluster: Cluster, problem: SwarmProblem, now: Date): Event[] {
    const key = problemKey(problem.alert, problem.id);
    const last = published.get(key);
    const before = last?.problem;
    const isSame = before?.message === problem.message && before.severity === problem.severity && before.cause === problem.cause;
    published.set(key, { problem, agentId: last !== undefined && isSame ? last.agentId : cluster.agentId });
    return isSame ? [] : [problemEvent(cluster, problem, now)];
  }

  /** Forgets a cluster that no host of ours is part of any more. */
  function dropAlone(id: string, now: Date): Event[] {
    return viewsOf(id).length > 0 ? [] : endAll(id, now);
  }

  function dropShown(id: string, agentId: string): void {
    const published = kept.get(id)?.published;
    for (const [key, last] of published ?? []) if (last.agentId === agentId) published?.delete(key);
  }

  /** Ends alerts of before our start that a host raised whose swarm is another now, or none, as far as none of ours is in theirs. */
  function endLeft(agentId: string | null, ended: string, now: Date): Event[] {
    const seen = new Set([ended, ...[...views.values()].map(({ clusterId }) => clusterId)]);
    const left = active().filter(({ clusterId, data }) => data.agent_id === agentId && !seen.has(clusterId));
    return left.map(({ data }) => overEvent(data, undefined, now));
  }

  /** Ends all alerts of a cluster that is not to be seen again, with those of before our start, and forgets it. */
  function endAll(id: string, now: Date): Event[] {
    const { published } = keptOf(id);
    kept.delete(id);
    const over = new Map(active().flatMap(({ clusterId, data }) => (clusterId === id ? [[problemKey(data.alert, data.id), data]] : [])));
    for (const [key, { problem, agentId }] of published) over.set(key, problemEvent({ id, agentId }, problem, now).data);
    return [...over.values()].map((data) => overEvent(data, undefined, now));
  }

  function standingChange(agentId: string | null, before: SwarmStanding | undefined, view: HostView, now: Date): Event[] {
    const { standing, reason } = view.swarm;
    // That an engine is in no swarm is the rule, and no news.
    if (before === standing || (before === undefined && standing === "inactive")) return [];
    const data = { agent_id: agentId, cluster_id: view.clusterId, standing, previous_standing: before ?? null, reason };
    return [{ type: "swarm.status_changed", data: { ...data, timestamp: now.toISOString() } }];
  }

  return {
    views: () => [...views.values()],
    view: (agentId) => views.get(agentId),
    cluster: (id) => kept.get(id)?.cluster,
    ownerOf: (id) => ownerOf(kept, id),
    clusters: () => [...kept.values()].flatMap(({ cluster }) => cluster ?? []),
    isAny: () => kept.size > 0,
    version: () => version,
    take(seen, now) {
      version += 1;
      const { agentId, swarm } = seen;
      const before = views.get(agentId);
      const named = swarm.clusterId ?? clusterBefore(before, swarm) ?? (swarm.standing === "no_quorum" ? unnamed(seen) : null);
      const clusterId = swarm.standing === "inactive" ? null : named;
      const view = { ...seen, swarm: withoutSecrets(swarm), clusterId };
      views.set(agentId, view);
      const events = standingChange(agentId, before?.swarm.standing, view, now);
      for (const id of new Set([before?.clusterId, clusterId])) if (id != null) events.push(...update(id, now, seen.receivedMs));
      if (swarm.clusterId !== null && before?.clusterId !== clusterId && before?.clusterId !== unnamed(seen))
        events.push(...dropAlone(unnamed(seen), now));
      // The last of its engines that is watched has left it.
      if (before?.clusterId != null && before.clusterId !== clusterId) events.push(...dropAlone(before.clusterId, now));
      if (before === undefined && (swarm.standing === "inactive" || swarm.clusterId !== null))
        events.push(...endLeft(agentId, unnamed(seen), now));
      return events;
    },
    judge(now, nowMs) {
      version += 1;
      return [...kept.keys()].flatMap((id) => update(id, now, nowMs));
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
      version += 1;
      const clusterId = views.get(agentId)?.clusterId;
      views.delete(agentId);
      if (clusterId == null) return;
      const isLast = !viewsOf(clusterId).some(({ receivedMs }) => nowMs - receivedMs < STALE_AFTER_MS);
      if (isLast) kept.delete(clusterId);
      // Alerts that were about its host went with it: they are raised again about another.
      else dropShown(clusterId, agentId);
    },
  };
}

function hostsOf(views: readonly HostView[]): Cluster["hosts"] {
  return views.map(({ agentId, swarm: { standing, reason } }) => ({ agentId, standing, reason }));
}

/** Labels of services leave with alerts, as they are shown. */
function withoutSecrets(swarm: SwarmSighting): SwarmSighting {
  const { topology } = swarm;
  if (topology === null) return swarm;
  const services = topology.services.map((service) => ({ ...service, labels: maskSecrets(service.labels) }));
  return { ...swarm, topology: { ...topology, services } };
}

/** Stands for the id of a cluster that its managers never named. */
function unnamed({ agentId, swarm: { nodeId } }: Pick<HostView, "agentId" | "swarm">): string {
  return `node:${nodeId ?? agentId ?? "local"}`;
}

/** A locked manager and a worker do not name their cluster: that of before holds while the engine is the same node. */
function clusterBefore(before: HostView | undefined, { nodeId }: SwarmSighting): string | null {
  const nodeBefore = before?.swarm.nodeId ?? null;
  return before === undefined || (nodeId !== null && nodeBefore !== null && nodeId !== nodeBefore) ? null : before.clusterId;
}
