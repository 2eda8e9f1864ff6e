import { noObjects } from "../../observations/kubernetes.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import { type Clock, pause, nextTurnWhenDue } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ContainerUsage, KubernetesSource, Runtime, RuntimeContainer, RuntimeKubernetes, RuntimeNews } from "../runtime.ts";
import { type ClusterAccess, createKubernetesClient } from "./client/index.ts";
import { createElectedCluster, REPLACED, type Term, type TermChanges } from "./elected-cluster.ts";
import { readLogs } from "./logs.ts";
import { total } from "./objects/values.ts";
import type { ClusterChanges } from "./view/index.ts";

export { findClusterAccess } from "./client/index.ts";

/** How long the first reading of metrics may hold up the first connection. */
const METRICS_WITHIN_MS = 5_000;
/** What has not changed is reported again, which shows that it is still so. */
const REPEAT_EVERY_MS = 15_000;
/** An older reading says nothing about now. */
const USAGE_VALID_MS = 75_000;
const MOST_NEWS = 20_000;
const ELECTED = "This agent was elected to watch the cluster, and lists it.";

export interface KubernetesOptions {
  access: ClusterAccess;
  clock: Clock;
  log: Log;
  /** Only these; empty: all. */
  namespaces: readonly string[];
  excludeNamespaces: readonly string[];
  /** The name of this watcher, if only one of several may watch the cluster; without it this one watches in any case. */
  identity?: string | undefined;
}

/** A cluster of Kubernetes, read only: each workload is a container to the rest of the program. */
export function createKubernetesRuntime(options: KubernetesOptions): Runtime {
  const { access, clock } = options;
  const client = createKubernetesClient(access, clock);
  const elected = createElectedCluster({ ...options, client });

  function missing(): string[] {
    const { standing, reason } = elected.standing();
    const { cluster, metrics } = elected.term();
    const reasons = (standing === "watching" ? cluster.unseen() : [{ reason }]).flatMap(({ reason: why }) => why ?? []);
    // Where it is not watched the lease can be the reason.
    return [...new Set([...reasons, ...metrics.missing(), ...[elected.problem() ?? []].flat()])];
  }

  function sighting(changes: Pick<ClusterChanges, "objects" | "removed"> | undefined): RuntimeKubernetes {
    const { standing, reason } = elected.standing();
    const about = elected.identity();
    const { cluster } = elected.term();
    const isSeen = standing === "watching";
    return {
      ...{ standing, reason },
      clusterId: about?.clusterId ?? null,
      version: about?.version ?? null,
      unseen: isSeen ? cluster.unseen() : [],
      isComplete: isSeen && changes === undefined,
      objects: isSeen ? (changes?.objects ?? cluster.view.objects()) : NO_CHANGES.objects,
      removed: isSeen ? (changes?.removed ?? {}) : {},
    };
  }

  const kubernetes: KubernetesSource = {
    read: () => sighting(undefined),
    async *changes(signal) {
      const queue = createQueue<TermChanges | "again">(MOST_NEWS);
      const stop = elected.subscribe((change) => queue.push(change === "election" ? "again" : change));
      const timer = repeat(clock, REPEAT_EVERY_MS, () => queue.push("again"));
      let seenTerm: Term | undefined;
      try {
        for (let news: TermChanges | "again" | undefined = "again"; news !== undefined; news = await queue.next(signal)) {
          // Why it cannot be opened is its standing.
          if (!elected.term().isOpen()) await elected.open(signal).catch(() => undefined);
          const term = elected.term();
          const isSeen = elected.standing().standing === "watching";
          // What changed while it was not seen is in no news, and what was cut off a queue neither.
          const isWhole = queue.takeOverflow() || (isSeen && seenTerm !== term);
          seenTerm = isSeen ? term : undefined;
          yield sighting(isWhole ? undefined : news === "again" || news.term !== term ? NO_CHANGES : news.changes);
        }
      } finally {
        stop();
        timer.cancel();
      }
    },
  };

  return {
    kind: "kubernetes",
    address: client.address,
    networkAddresses: client.networkAddresses,
    async describe(signal) {
      const isWatching = await elected.open(signal);
      const { metrics } = elected.term();
      if (isWatching) await Promise.race([metrics.tried(), pause(clock, METRICS_WITHIN_MS, signal)]);
      const { version = "", clusterId = null } = elected.identity() ?? {};
      return {
        version,
        apiVersion: "v1",
        hostname: client.namespace === null ? access.host : `${access.host} (${client.namespace})`,
        operatingSystem: clusterId === null ? "Kubernetes" : `Kubernetes ${version}`,
        capabilities: { events: true, stats: isWatching, logs: isWatching, swarm: false, metrics: metrics.readAtMs() !== undefined },
        missing: missing(),
      };
    },
    missing,
    async inventory(signal) {
      const at = clock.now();
      return { at, containers: (await elected.open(signal)) ? elected.term().cluster.view.rows() : [] };
    },
    async *watch({ opened, signal }) {
      const queue = createQueue<TermChanges | "election">(MOST_NEWS);
      const stop = elected.subscribe((change) => queue.push(change));
      const wasStandby = elected.isStandby();
      const term = elected.term();
      try {
        opened();
        for (let change = await queue.next(signal); change !== undefined; change = await queue.next(signal)) {
          if (elected.isStandby() !== wasStandby || elected.term() !== term)
            throw new ServiceError("runtime_unavailable", wasStandby ? ELECTED : REPLACED);
          if (wasStandby || change === "election") continue;
          const { standing, reason } = term.cluster.standing();
          if (standing !== "watching") throw new ServiceError("runtime_unavailable", reason ?? "The cluster is not seen.");
          if (queue.takeOverflow())
            throw new ServiceError("runtime_unavailable", "The cluster changes faster than it can be read. It is listed again.");
          yield* newsOf(change.changes, clock.now());
        }
      } finally {
        stop();
      }
    },
    async *logs(externalId, logOptions) {
      yield* readLogs({ client, cluster: elected.term().cluster, workloadId: externalId }, logOptions);
    },
    async stats() {
      const { cluster, metrics } = elected.term();
      const readAtMs = metrics.readAtMs();
      if (readAtMs === undefined || clock.monotonicMs() - readAtMs > USAGE_VALID_MS || elected.isStandby()) return [];
      const usages: ContainerUsage[] = [];
      for (const { externalId } of cluster.view.rows()) {
        usages.push(...usageOf(cluster.view.podsOf(externalId), { externalId, readAtMs }));
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
      }
      return usages;
    },
    kubernetes,
    async close() {
      await elected.stop();
      await client.close();
    },
  };
}

const NO_CHANGES: Pick<ClusterChanges, "objects" | "removed"> = {
  objects: noObjects(),
  removed: {},
};

const ENDED = new Set<RuntimeContainer["state"]>(["exited", "dead", "restarting"]);

function newsOf({ rows }: ClusterChanges, at: Date): RuntimeNews[] {
  const cursor = String(at.getTime());
  return [
    ...rows.changed.map((container): RuntimeNews => ({ what: "container", at, cursor, container, ended: ENDED.has(container.state) })),
    ...rows.removed.map((externalId): RuntimeNews => ({ what: "gone", at, cursor, externalId })),
  ];
}

function repeat(clock: Clock, everyMs: number, run: () => void): { cancel(): void } {
  let timer = clock.after(everyMs, tick);
  function tick(): void {
    run();
    timer = clock.after(everyMs, tick);
  }
  return { cancel: () => timer.cancel() };
}

/** Of all pods of a workload that were read together; nothing where none was. */
function usageOf(all: readonly KubernetesPod[], of: Pick<ContainerUsage, "externalId" | "readAtMs">): ContainerUsage[] {
  const pods = all.filter(isUsing);
  if (pods.length === 0) return [];
  const { cpuCores, memoryBytes } = total(pods.flatMap(({ usage }) => usage ?? []));
  const containers = pods.flatMap((pod) => pod.containers.filter(({ kind }) => kind === "app" || kind === "sidecar"));
  const limits = total(containers.map((each) => each.limits));
  const allLimited = (isLimited: (each: (typeof containers)[number]) => boolean): boolean => containers.every(isLimited);
  return [
    {
      ...of,
      cpuNanoseconds: null,
      cpuCores,
      allocatedCpus: allLimited((each) => each.limits.cpuCores !== null) ? limits.cpuCores : null,
      memoryBytes,
      memoryLimitBytes: allLimited((each) => each.limits.memoryBytes !== null) ? limits.memoryBytes : null,
      ...{ networkRxBytes: null, networkTxBytes: null, diskReadBytes: null, diskWriteBytes: null },
    },
  ];
}

/** Whether a pod has a reading, and can use what it is limited to: a kubelet may answer for those that are done too. */
function isUsing({ phase, usage }: KubernetesPod): boolean {
  return usage !== null && phase !== "Succeeded" && phase !== "Failed";
}

/** What waits to be taken, in order and within a bound. */
interface Queue<Item> {
  push(item: Item): void;
  /** The next, when there is one; undefined once the signal is aborted. */
  next(signal: AbortSignal): Promise<Item | undefined>;
  /** Whether something was left out since this was asked last. */
  takeOverflow(): boolean;
}

function createQueue<Item>(most: number): Queue<Item> {
  let items: Item[] = [];
  let isCut = false;
  let arrived = Promise.withResolvers<void>();
  return {
    push(item) {
      if (items.length >= most) {
        items = [];
        isCut = true;
      }
      items.push(item);
      arrived.resolve();
    },
    async next(signal) {
      while (items.length === 0) {
        if (signal.aborted) return undefined;
        arrived = Promise.withResolvers();
        const abort = (): void => arrived.resolve();
        signal.addEventListener("abort", abort, { once: true });
        await arrived.promise;
        signal.removeEventListener("abort", abort);
      }
      return signal.aborted ? undefined : items.shift();
    },
    takeOverflow() {
      const wasCut = isCut;
      isCut = false;
      return wasCut;
    },
  };
}
