import { MINUTE_MS } from "../../contract/time.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { type Clock, pause, nextTurnWhenDue } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ContainerUsage, KubernetesSource, Runtime, RuntimeContainer, RuntimeKubernetes, RuntimeNews } from "../runtime.ts";
import { type ClusterAccess, createKubernetesClient, Election } from "./client/index.ts";
import { readLogs } from "./logs.ts";
import { createMetrics } from "./metrics.ts";
import { total } from "./pod-readings.ts";
import { createQueue } from "./queue.ts";
import type { ClusterChanges } from "./view/index.ts";
import { type ClusterIdentity, createWatchedCluster } from "./watching.ts";

export { findClusterAccess } from "./client/index.ts";

/** How long the first listing of everything may take. */
const LISTED_WITHIN_MS = MINUTE_MS;
/** How long the first reading of metrics may hold up the first connection, and the first election. */
const METRICS_WITHIN_MS = 5_000;
const ELECTED_WITHIN_MS = 10_000;
const LOOK_MS = 100;
/** What has not changed is reported again, which shows that it is still so. */
const REPEAT_EVERY_MS = 15_000;
/** An older reading says nothing about now. */
const USAGE_VALID_MS = 75_000;
const MOST_NEWS = 20_000;
const ELECTION = { name: "binnacle-agent" };
const ELECTED = "This agent was elected to watch the cluster, and lists it.";
const REPLACED = "Another agent was elected to watch the cluster.";

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
  const { access, clock, log, identity } = options;
  const client = createKubernetesClient(access, clock);
  const cluster = createWatchedCluster({ ...options, client });
  const { view } = cluster;
  const metrics = createMetrics({
    client,
    clock,
    nodeNames: () => view.objects().nodes.map(({ name }) => name),
    limitedNodeNames: () => [...new Set(view.objects().pods.flatMap((pod) => (hasCpuLimit(pod) && pod.nodeName) || []))],
    onUsage: (usage) => cluster.setUsage(usage),
  });
  const election = identity === undefined || client.namespace === null ? undefined : electionOf(client.namespace, identity);
  let about: ClusterIdentity | undefined;
  let isOpen = false;
  let usageReadMs: number | undefined;

  function electionOf(namespace: string, of: string): Election {
    const made = new Election({ client, ...ELECTION, namespace, identity: of, clock, log });
    made.start();
    return made;
  }

  /** Another one watches. One that cannot know whether there are others watches too. */
  function isStandby(): boolean {
    return election !== undefined && !election.isLeader() && election.problem() === null;
  }

  /** Answers whether this one watches the cluster. */
  async function open(signal: AbortSignal): Promise<boolean> {
    await untilElected(signal);
    if (isStandby()) {
      about ??= await cluster.identify(signal);
      return false;
    }
    about = await cluster.open(signal);
    isOpen = true;
    const late = new AbortController();
    const reason = `The cluster at ${client.address} was not listed within a minute. It is tried again.`;
    const timer = clock.after(LISTED_WITHIN_MS, () => late.abort(new ServiceError("runtime_unavailable", reason)));
    await cluster.ready(AbortSignal.any([signal, late.signal])).finally(() => timer.cancel());
    const { standing, reason: why } = cluster.standing();
    if (standing !== "watching") throw new ServiceError("runtime_unavailable", why ?? "The cluster cannot be read.");
    metrics.start();
    return true;
  }

  async function untilElected(signal: AbortSignal): Promise<void> {
    const untilMs = clock.monotonicMs() + ELECTED_WITHIN_MS;
    while (isStandby() && election?.holder() === null && clock.monotonicMs() < untilMs && !signal.aborted)
      await pause(clock, LOOK_MS, signal);
  }

  function standingNow(): Pick<KubernetesSighting, "standing" | "reason"> {
    if (!isStandby()) return cluster.standing();
    const holder = election?.holder() ?? null;
    return {
      standing: "standby",
      reason: holder === null ? "No agent was elected yet." : `This cluster is watched by the agent ${holder}.`,
    };
  }

  function missing(): string[] {
    const { standing, reason } = standingNow();
    return [
      ...(standing === "watching" ? cluster.unseen() : [{ reason }]).flatMap(({ reason: why }) => why ?? []),
      ...metrics.missing(),
      ...[election?.problem() ?? []].flat(),
    ];
  }

  function sighting(changes: Pick<ClusterChanges, "objects" | "removed"> | undefined): RuntimeKubernetes {
    const { standing, reason } = standingNow();
    const isSeen = standing === "watching";
    return {
      ...{ standing, reason },
      clusterId: about?.clusterId ?? null,
      version: about?.version ?? null,
      unseen: isSeen ? cluster.unseen() : [],
      isComplete: isSeen && changes === undefined,
      objects: isSeen ? (changes?.objects ?? view.objects()) : NO_CHANGES.objects,
      removed: isSeen ? (changes?.removed ?? {}) : {},
    };
  }

  const kubernetes: KubernetesSource = {
    read: () => sighting(undefined),
    async *changes(signal) {
      const queue = createQueue<ClusterChanges | "again">(MOST_NEWS);
      const stop = cluster.subscribe((changes) => queue.push(changes));
      election?.onChange(() => queue.push("again"));
      const timer = repeat(clock, REPEAT_EVERY_MS, () => queue.push("again"), signal);
      let wasSeen = false;
      try {
        for (let news: ClusterChanges | "again" | undefined = "again"; news !== undefined; news = await queue.next(signal)) {
          // Why it cannot be opened is its standing.
          if (!isOpen) await open(signal).catch(() => undefined);
          const isSeen = standingNow().standing === "watching";
          // What changed while it was not seen is in no news, and what was cut off a queue neither.
          const isWhole = queue.takeOverflow() || (isSeen && !wasSeen);
          wasSeen = isSeen;
          yield sighting(isWhole ? undefined : news === "again" ? NO_CHANGES : news);
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
      const isWatching = await open(signal);
      if (isWatching) await Promise.race([metrics.tried(), pause(clock, METRICS_WITHIN_MS, signal)]);
      const { version = "", clusterId = null } = about ?? {};
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
      return { at, containers: (await open(signal)) ? view.rows() : [] };
    },
    async *watch({ opened, signal }) {
      const queue = createQueue<ClusterChanges>(MOST_NEWS);
      const stop = cluster.subscribe((changes) => queue.push(changes));
      const wasStandby = isStandby();
      election?.onChange(() => queue.push({ ...NO_CHANGES, rows: { changed: [], removed: [] } }));
      try {
        opened();
        for (let changes = await queue.next(signal); changes !== undefined; changes = await queue.next(signal)) {
          if (isStandby() !== wasStandby) throw new ServiceError("runtime_unavailable", wasStandby ? ELECTED : REPLACED);
          if (wasStandby) continue;
          const { standing, reason } = cluster.standing();
          if (standing !== "watching") throw new ServiceError("runtime_unavailable", reason ?? "The cluster is not seen.");
          if (queue.takeOverflow())
            throw new ServiceError("runtime_unavailable", "The cluster changes faster than it can be read. It is listed again.");
          yield* newsOf(changes, clock.now());
        }
      } finally {
        stop();
      }
    },
    async *logs(externalId, logOptions) {
      yield* readLogs({ client, cluster, workloadId: externalId }, logOptions);
    },
    async stats() {
      usageReadMs = metrics.readAtMs();
      if (usageReadMs === undefined || clock.monotonicMs() - usageReadMs > USAGE_VALID_MS || isStandby()) return [];
      const readAtMs = usageReadMs;
      const usages: ContainerUsage[] = [];
      for (const { externalId } of view.rows()) {
        usages.push(...usageOf(externalId, readAtMs));
        const turn = nextTurnWhenDue();
        if (turn !== undefined) await turn;
      }
      return usages;
    },
    kubernetes,
    async close() {
      await Promise.all([metrics.stop(), cluster.stop(), election?.stop()]);
      await client.close();
    },
  };

  /** Of all pods of a workload that were read together; nothing where none was. */
  function usageOf(externalId: string, readAtMs: number): ContainerUsage[] {
    const pods = view.podsOf(externalId).filter(isUsing);
    if (pods.length === 0) return [];
    const { cpuCores, memoryBytes } = total(pods.flatMap(({ usage }) => usage ?? []));
    const containers = pods.flatMap((pod) => pod.containers.filter(({ kind }) => kind === "app" || kind === "sidecar"));
    const limits = total(containers.map((each) => each.limits));
    const allLimited = (isLimited: (each: (typeof containers)[number]) => boolean): boolean => containers.every(isLimited);
    return [
      {
        externalId,
        readAtMs,
        cpuNanoseconds: null,
        cpuCores,
        allocatedCpus: allLimited((each) => each.limits.cpuCores !== null) ? limits.cpuCores : null,
        memoryBytes,
        memoryLimitBytes: allLimited((each) => each.limits.memoryBytes !== null) ? limits.memoryBytes : null,
        ...{ networkRxBytes: null, networkTxBytes: null, diskReadBytes: null, diskWriteBytes: null },
      },
    ];
  }
}

const NO_CHANGES: Pick<ClusterChanges, "objects" | "removed"> = {
  objects: { namespaces: [], nodes: [], workloads: [], pods: [], services: [], routes: [], claims: [], certificates: [], events: [] },
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

function repeat(clock: Clock, everyMs: number, run: () => void, signal: AbortSignal): { cancel(): void } {
  let timer = clock.after(everyMs, tick);
  function tick(): void {
    if (signal.aborted) return;
    run();
    timer = clock.after(everyMs, tick);
  }
  return { cancel: () => timer.cancel() };
}

/** Whether a pod has a reading, and can use what it is limited to: a kubelet may answer for those that are done too. */
function isUsing({ phase, usage }: KubernetesPod): boolean {
  return usage !== null && phase !== "Succeeded" && phase !== "Failed";
}

function hasCpuLimit({ phase, containers }: KubernetesPod): boolean {
  return phase === "Running" && containers.some(({ limits }) => limits.cpuCores !== null);
}
