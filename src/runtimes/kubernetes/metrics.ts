import { MINUTE_MS } from "../../contract/time.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { createLimiter } from "../../platform/queues.ts";
import type { KubernetesClient } from "./client/index.ts";
import { KubeletSummaries, usageOf } from "./kubelet-summaries.ts";
import { MetricsApi } from "./metrics-api.ts";
import { Throttling } from "./throttling.ts";
import { type ClusterUsage, NO_USAGE } from "./view/index.ts";

/** A metrics server reads kubelets about as often. */
const READ_EVERY_MS = 15_000;
/** What kubelets answer is large, so they are asked less often, and few at once: a second less than the readings it falls together with. */
const VOLUMES_EVERY_MS = MINUTE_MS - 1000;
const SUMMARIES_EVERY_MS = 29_000;
const THROTTLING_EVERY_MS = MINUTE_MS - 1000;
const NODES_AT_ONCE = 4;
const MOST_NODES = 500;
/** Readings older than this are not shown: some were missed, not one. */
const SHOWN_FOR_MS = 75_000;
const VOLUMES_SHOWN_FOR_MS = 3 * MINUTE_MS;
/** How often what was refused is asked for again. */
const REFUSED_FOR_MS = 5 * MINUTE_MS;

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
  const { signal } = stopping;
  const limit = createLimiter(NODES_AT_ONCE);
  const first = Promise.withResolvers<void>();
  const api = new MetricsApi({ client, clock, refusedForMs: REFUSED_FOR_MS });
  const summaries = new KubeletSummaries({ client, clock, refusedForMs: REFUSED_FOR_MS });
  const throttling = new Throttling({ client, clock, everyMs: THROTTLING_EVERY_MS, refusedForMs: REFUSED_FOR_MS });
  let running: Promise<void> | undefined;
  let readAtMs: number | undefined;
  let volumesAtMs: number | undefined;
  let usage = NO_USAGE;

  /** Of pods and nodes the metrics API has the newer figures, where it gives any. */
  async function readUsage(): Promise<void> {
    const metrics = await api.read(signal);
    const everyMs = metrics === undefined ? SUMMARIES_EVERY_MS : VOLUMES_EVERY_MS;
    usage = { ...usage, ...metrics };
    const read = await summaries.read(nodeNames().slice(0, MOST_NODES), { everyMs, limit, signal });
    if (read.length > 0) {
      usage = { ...usage, ...usageOf(read), ...metrics };
      volumesAtMs = clock.monotonicMs();
    }
    if (metrics === undefined && read.length === 0) return;
    readAtMs = clock.monotonicMs();
    onUsage(usage);
  }

  /** What was not read for long is not known any more. */
  function forgetOld(): void {
    const isOver = (atMs: number | undefined, forMs: number): boolean => atMs !== undefined && clock.monotonicMs() - atMs > forMs;
    const areReadingsOver = isOver(readAtMs, SHOWN_FOR_MS);
    const areVolumesOver = isOver(volumesAtMs, VOLUMES_SHOWN_FOR_MS);
    if (!areReadingsOver && !areVolumesOver) return;
    if (areReadingsOver) {
      readAtMs = undefined;
      usage = { ...NO_USAGE, volumes: usage.volumes };
    }
    if (areVolumesOver) {
      volumesAtMs = undefined;
      usage = { ...usage, volumes: NO_USAGE.volumes };
    }
    onUsage(usage);
  }

  async function keepReading(): Promise<void> {
    while (!signal.aborted) {
      try {
        await readUsage();
        // Shown with the next usage, which it would hold up.
        const throttled = await throttling.read(limitedNodeNames().slice(0, MOST_NODES), { limit, signal });
        if (throttled !== undefined) usage = { ...usage, throttled };
      } catch {
        // That the API server is away is published elsewhere; readings have a gap.
      }
      forgetOld();
      first.resolve();
      await pause(clock, READ_EVERY_MS, signal);
    }
  }

  return {
    start() {
      running ??= keepReading();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    tried: () => first.promise,
    readAtMs: () => readAtMs,
    missing() {
      if (!api.isRefused || !summaries.isRefused) return [];
      return [
        "CPU and memory of pods: install metrics-server and allow get and list of pods and nodes in metrics.k8s.io, or allow get of nodes/proxy.",
      ];
    },
  };
}
