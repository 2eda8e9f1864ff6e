import { MINUTE_MS } from "../../contract/time.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import type { KubernetesStanding } from "../../observations/kubernetes.ts";
import { pause } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import { Election } from "./client/index.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { ClusterChanges } from "./view/index.ts";
import { type ClusterIdentity, type ClusterOptions, createWatchedCluster, type WatchedCluster } from "./watching.ts";

/** How long the first listing of everything may take. */
const LISTED_WITHIN_MS = MINUTE_MS;
const ELECTED_WITHIN_MS = 10_000;
const LOOK_MS = 100;
const ELECTION = { name: "binnacle-agent" };
export const REPLACED = "This agent is not elected any more to watch the cluster.";

export interface ElectedClusterOptions extends ClusterOptions {
  /** The name of this watcher, if only one of several may watch the cluster; without it this one watches in any case. */
  identity?: string | undefined;
}

/** What is watched from one election to the next loss of the lease. Nothing of it is used in the next term. */
export interface Term {
  readonly cluster: WatchedCluster;
  readonly metrics: Metrics;
  /** Whether all of the cluster was listed. */
  isOpen(): boolean;
}

/** A cluster that is watched only while this process is the leader. */
export interface ElectedCluster {
  isStandby(): boolean;
  term(): Term;
  /** Answers whether this one watches the cluster. Throws `runtime_unavailable`. */
  open(signal: AbortSignal): Promise<boolean>;
  identity(): ClusterIdentity | undefined;
  standing(): { standing: KubernetesStanding; reason: string | null };
  /** Why the lease cannot be read or written; null when it can. */
  problem(): string | null;
  /** Called with what changed in the present term, and with "election" when the leader changes or the lease cannot be read. */
  subscribe(listener: (change: TermChanges | "election") => void): () => void;
  stop(): Promise<void>;
}

export interface TermChanges {
  term: Term;
  changes: ClusterChanges;
}

export function createElectedCluster(options: ElectedClusterOptions): ElectedCluster {
  const { client, clock, log, identity } = options;
  const listeners = new Set<Parameters<ElectedCluster["subscribe"]>[0]>();
  const ending = new Set<Promise<unknown>>();
  const election = identity === undefined || client.namespace === null ? undefined : electionOf(client.namespace, identity);
  const stopListening = election?.onChange(noteElection);
  let about: ClusterIdentity | undefined;
  let present = beginTerm();
  election?.start();

  function electionOf(namespace: string, of: string): Election {
    return new Election({ client, ...ELECTION, namespace, identity: of, clock, log });
  }

  function publish(change: TermChanges | "election"): void {
    for (const listener of listeners) listener(change);
  }

  function beginTerm(): OpenableTerm {
    return createTerm(options, (changes, term) => {
      if (term === present) publish({ term, changes });
    });
  }

  function noteElection(): void {
    if (isStandby() && present.isUsed()) {
      const ended = present;
      present = beginTerm();
      const end = ended.end().catch((error: unknown) => log.warn({ reason: messageOf(error) }, "watches were not ended"));
      ending.add(end);
      void end.finally(() => ending.delete(end));
    }
    publish("election");
  }

  /**
   * One that cannot read the lease for now does not hold it: several that watch would cost the API server most when it is busy. One that may not use it
   * watches, unless it knows the leader: two views of one cluster are better than none.
   */
  function isStandby(): boolean {
    if (election === undefined || election.isLeader()) return false;
    return !election.isRefused() || election.otherLeader() !== null;
  }

  function standingNow(): ReturnType<ElectedCluster["standing"]> {
    if (election === undefined || !isStandby()) return present.cluster.standing();
    const leader = election.otherLeader();
    if (leader !== null) return { standing: "standby", reason: `This cluster is watched by the agent ${leader}.` };
    const reason = election.problem();
    if (reason !== null) return { standing: "unreachable", reason };
    return { standing: "standby", reason: "No agent was elected yet." };
  }

  async function untilElected(signal: AbortSignal): Promise<void> {
    const untilMs = clock.monotonicMs() + ELECTED_WITHIN_MS;
    const isWaiting = (): boolean => isStandby() && election?.holder() === null && election.problem() === null;
    while (isWaiting() && clock.monotonicMs() < untilMs && !signal.aborted) await pause(clock, LOOK_MS, signal);
  }

  return {
    isStandby,
    term: () => present,
    async open(signal) {
      await untilElected(signal);
      if (isStandby()) {
        about ??= await present.cluster.identify(signal);
        const { standing, reason } = standingNow();
        // Only where another one watches is nothing the whole answer.
        if (standing !== "standby") throw new ServiceError("runtime_unavailable", reason ?? "The cluster cannot be read.");
        return false;
      }
      about = await present.open(signal);
      return true;
    },
    identity: () => about,
    standing: standingNow,
    problem: () => election?.problem() ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopListening?.();
      await Promise.all([present.end(), election?.stop(), ...ending]);
    },
  };
}

interface OpenableTerm extends Term {
  /** Whether anything of the cluster was asked for: else there is nothing to end. */
  isUsed(): boolean;
  open(signal: AbortSignal): Promise<ClusterIdentity>;
  end(): Promise<void>;
}

function hasCpuLimit({ phase, containers }: KubernetesPod): boolean {
  return phase === "Running" && containers.some(({ limits }) => limits.cpuCores !== null);
}

function createTerm(options: ElectedClusterOptions, onChange: (changes: ClusterChanges, term: OpenableTerm) => void): OpenableTerm {
  const { client, clock } = options;
  const cluster = createWatchedCluster(options);
  const { view } = cluster;
  const metrics = createMetrics({
    client,
    clock,
    nodeNames: () => view.objects().nodes.map(({ name }) => name),
    limitedNodeNames: () => [...new Set(view.objects().pods.flatMap((pod) => (hasCpuLimit(pod) && pod.nodeName) || []))],
    onUsage: (usage) => cluster.setUsage(usage),
  });
  const ended = new AbortController();
  let [isUsed, isOpen] = [false, false];

  const term: OpenableTerm = {
    cluster,
    metrics,
    isUsed: () => isUsed,
    isOpen: () => isOpen,
    async open(signal) {
      isUsed = true;
      const about = await cluster.open(AbortSignal.any([signal, ended.signal]));
      isOpen = true;
      const late = new AbortController();
      const reason = `The cluster at ${client.address} was not listed within a minute. It is tried again.`;
      const timer = clock.after(LISTED_WITHIN_MS, () => late.abort(new ServiceError("runtime_unavailable", reason)));
      await cluster.ready(AbortSignal.any([signal, late.signal, ended.signal])).finally(() => timer.cancel());
      const { standing, reason: why } = cluster.standing();
      if (standing !== "watching") throw new ServiceError("runtime_unavailable", why ?? "The cluster cannot be read.");
      ended.signal.throwIfAborted();
      metrics.start();
      return about;
    },
    async end() {
      ended.abort(new ServiceError("runtime_unavailable", REPLACED));
      await Promise.all([metrics.stop(), cluster.stop()]);
    },
  };
  cluster.subscribe((changes) => onChange(changes, term));
  return term;
}
