import { z } from "zod";
import { MINUTE_MS } from "../../contract/time.ts";
import type { ResourceAmounts } from "../../observations/kubernetes.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { createLimiter } from "../../platform/queues.ts";
import { type KubernetesClient, readItems } from "./client/index.ts";
import { parseQuantity } from "./objects/values.ts";
import { createPodReadings, total, type CpuCounters, readCounters, throttledShares } from "./pod-readings.ts";
import type { ClusterUsage } from "./view/index.ts";

/** A metrics server reads kubelets about as often. */
const READ_EVERY_MS = 15_000;
/** What kubelets answer is large, so they are asked less often, and few at once. */
const SUMMARY_EVERY_MS = MINUTE_MS;
const SUMMARIES_EVERY_MS = 30_000;
const SUMMARIES_AT_ONCE = 4;
const MOST_SUMMARIES = 500;
/** How often what was refused is asked for again. */
const ASK_AGAIN_MS = 5 * MINUTE_MS;
const METRICS = "/apis/metrics.k8s.io/v1beta1";

const quantities = z.record(z.string(), z.unknown()).nullish();
const nodeMetrics = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }), usage: quantities })) });
const number = z.number().nullish();
const used = z.object({ usageNanoCores: number }).nullish();
const memory = z.object({ workingSetBytes: number }).nullish();
const summary = z.object({
  node: z.object({ nodeName: z.string(), cpu: used, memory }),
  pods: z
    .array(
      z.object({
        podRef: z.object({ name: z.string(), namespace: z.string() }),
        containers: z.array(z.object({ cpu: used, memory })).nullish(),
        volume: z
          .array(
            z.object({
              usedBytes: number,
              capacityBytes: number,
              pvcRef: z.object({ name: z.string(), namespace: z.string() }).nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});
type Summary = z.infer<typeof summary>;

export interface MetricsOptions {
  client: Pick<KubernetesClient, "read" | "stream">;
  clock: Clock;
  /** Of nodes that are there. */
  nodeNames: () => readonly string[];
  /** Of those that run a pod with a CPU limit. */
  limitedNodeNames: () => readonly string[];
  onUsage: (usage: ClusterUsage) => void;
}

/** What pods, nodes and volumes use: by the metrics API where there is one, else by the kubelets, which alone know of volumes. */
export interface Metrics {
  start(): void;
  stop(): Promise<void>;
  /** Resolves once they were read for the first time, or could not be. */
  tried(): Promise<void>;
  /** When pods were last read, on the monotonic scale; undefined where they cannot be. */
  readAtMs(): number | undefined;
  /** What cannot be read, and the rule that would give it. */
  missing(): string[];
}

export function createMetrics({ client, clock, nodeNames, limitedNodeNames, onUsage }: MetricsOptions): Metrics {
  const stopping = new AbortController();
  const limit = createLimiter(SUMMARIES_AT_ONCE);
  const first = Promise.withResolvers<void>();
  const podReadings = createPodReadings();
  let running: Promise<void> | undefined;
  let readAtMs: number | undefined;
  let usage: ClusterUsage = { pods: new Map(), throttled: new Map(), nodes: new Map(), volumes: new Map() };
  let isMetricsRefused = false;
  let areSummariesRefused = false;
  let metricsAgainMs = 0;
  let summariesAgainMs = 0;
  let counters: CpuCounters = new Map();
  let countersAgainMs = 0;

  /** Answers that more are wanted. */
  function addPod(json: string | null): true {
    podReadings.add(json);
    return true;
  }

  /** Answers whether the metrics API gave something. */
  async function readMetrics(signal: AbortSignal): Promise<boolean> {
    if (isMetricsRefused && clock.monotonicMs() < metricsAgainMs) return false;
    podReadings.begin();
    const [pods, nodes] = await Promise.all([
      // As they come: of thousands of pods the answer is large.
      readItems(client, `${METRICS}/pods`, { signal, onItem: addPod }),
      client.read(nodeMetrics, `${METRICS}/nodes`, { signal }),
    ]);
    isMetricsRefused = "refused" in pods;
    if ("refused" in pods) {
      metricsAgainMs = clock.monotonicMs() + ASK_AGAIN_MS;
      return false;
    }
    const ofNodes = "refused" in nodes ? [] : nodes.data.items;
    usage = {
      ...usage,
      pods: podReadings.finish(),
      nodes: new Map(ofNodes.map((node) => [node.metadata.name, amountsOf(node.usage)])),
    };
    return true;
  }

  async function readSummaries(signal: AbortSignal, { volumesOnly }: { volumesOnly: boolean }): Promise<boolean> {
    const nowMs = clock.monotonicMs();
    if (nowMs < summariesAgainMs) return false;
    summariesAgainMs = nowMs + (volumesOnly ? SUMMARY_EVERY_MS : SUMMARIES_EVERY_MS) - 1000;
    const names = nodeNames().slice(0, MOST_SUMMARIES);
    const answers = await Promise.all(names.map((name) => limit(() => readSummary(name, signal))));
    const read = answers.filter((answer) => typeof answer === "object");
    areSummariesRefused = read.length === 0 && answers.includes("refused");
    if (areSummariesRefused) summariesAgainMs = nowMs + ASK_AGAIN_MS;
    if (read.length === 0) return false;
    usage = merged(read, usage, volumesOnly);
    return true;
  }

  /** A kubelet that does not answer leaves a gap of its own pods alone. */
  async function readSummary(name: string, signal: AbortSignal): Promise<Summary | "refused" | "silent"> {
    const path = `/api/v1/nodes/${encodeURIComponent(name)}/proxy/stats/summary`;
    const answer = await client.read(summary, path, { signal, timeoutMs: 10_000 }).catch(() => undefined);
    if (answer === undefined) return "silent";
    if ("data" in answer) return answer.data;
    return answer.refused.status === 403 || answer.refused.status === 401 ? "refused" : "silent";
  }

  async function readThrottling(signal: AbortSignal): Promise<void> {
    const nowMs = clock.monotonicMs();
    if (nowMs < countersAgainMs) return;
    const read: CpuCounters = new Map();
    const names = limitedNodeNames().slice(0, MOST_SUMMARIES);
    const answers = await Promise.all(
      names.map((name) => limit(() => readCounters(client, name, { to: read, signal }).catch(() => "silent" as const))),
    );
    countersAgainMs = nowMs + (answers.includes("refused") ? ASK_AGAIN_MS : SUMMARY_EVERY_MS - 1000);
    usage = { ...usage, throttled: throttledShares(counters, read) };
    counters = read;
  }

  async function keepReading(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const hasMetrics = await readMetrics(signal);
        const hasSummaries = await readSummaries(signal, { volumesOnly: hasMetrics });
        if (hasMetrics || hasSummaries) {
          readAtMs = clock.monotonicMs();
          onUsage(usage);
        }
        // Shown with the next usage, which it would hold up.
        await readThrottling(signal);
      } catch {
        // That the API server is away is published elsewhere; readings have a gap.
      }
      first.resolve();
      await pause(clock, READ_EVERY_MS, signal);
    }
  }

  return {
    start() {
      running ??= keepReading(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    tried: () => first.promise,
    readAtMs: () => readAtMs,
    missing() {
      if (!isMetricsRefused || !areSummariesRefused) return [];
      return [
        "CPU and memory of pods: install metrics-server and allow get and list of pods and nodes in metrics.k8s.io, or allow get of nodes/proxy.",
      ];
    },
  };
}

function amountsOf(values: Record<string, unknown> | null | undefined): ResourceAmounts {
  return { cpuCores: parseQuantity(values?.["cpu"]), memoryBytes: parseQuantity(values?.["memory"]) };
}

function merged(summaries: readonly Summary[], before: ClusterUsage, volumesOnly: boolean): ClusterUsage {
  const volumes = new Map<string, { usedBytes: number; sizeBytes: number }>();
  const pods = new Map<string, ResourceAmounts>();
  const nodes = new Map<string, ResourceAmounts>();
  for (const { node, pods: ofNode } of summaries) {
    nodes.set(node.nodeName, measured(node));
    for (const { podRef, containers, volume } of ofNode ?? []) {
      pods.set(`${podRef.namespace}/${podRef.name}`, total((containers ?? []).map(measured)));
      for (const { pvcRef, usedBytes, capacityBytes } of volume ?? [])
        if (pvcRef != null && usedBytes != null && capacityBytes != null && capacityBytes > 0)
          volumes.set(`${pvcRef.namespace}/${pvcRef.name}`, { usedBytes, sizeBytes: capacityBytes });
    }
  }
  return volumesOnly ? { ...before, volumes } : { ...before, pods, nodes, volumes };
}

function measured({ cpu, memory: of }: Pick<Summary["node"], "cpu" | "memory">): ResourceAmounts {
  return { cpuCores: cpu?.usageNanoCores == null ? null : cpu.usageNanoCores / 1e9, memoryBytes: of?.workingSetBytes ?? null };
}
