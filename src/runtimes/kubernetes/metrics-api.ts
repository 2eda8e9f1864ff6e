import { z } from "zod";
import type { ResourceAmounts } from "../../observations/kubernetes-workloads.ts";
import type { Clock } from "../../platform/clock.ts";
import { parseJson } from "../json.ts";
import { type KubernetesClient, readItems } from "./client/index.ts";
import { addTo, amountsOf } from "./objects/values.ts";
import type { ClusterUsage } from "./view/index.ts";

const METRICS = "/apis/metrics.k8s.io/v1beta1";

const quantities = z.record(z.string(), z.unknown()).nullish();
const nodeMetrics = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }), usage: quantities })) });

export interface MetricsApiOptions {
  client: Pick<KubernetesClient, "read" | "stream">;
  clock: Clock;
  /** When it is asked again after it refused, or was not there. */
  refusedForMs: number;
}

/** What a metrics server says that pods and nodes use. */
export class MetricsApi {
  readonly #options: MetricsApiOptions;
  readonly #podReadings = createPodReadings();
  #dueMs = 0;
  #isRefused = false;

  constructor(options: MetricsApiOptions) {
    this.#options = options;
  }

  /** Whether it may not be read, or is not there. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** undefined when it is refused. */
  async read(signal: AbortSignal): Promise<Pick<ClusterUsage, "pods" | "nodes"> | undefined> {
    const { client, clock, refusedForMs } = this.#options;
    if (this.#isRefused && clock.monotonicMs() < this.#dueMs) return undefined;
    this.#podReadings.begin();
    const [pods, nodes] = await Promise.all([
      // As they come: of thousands of pods the answer is large.
      readItems(client, `${METRICS}/pods`, {
        signal,
        onItem: (json) => {
          this.#podReadings.add(json);
          return true;
        },
      }),
      client.read(nodeMetrics, `${METRICS}/nodes`, { signal }),
    ]);
    this.#isRefused = "refused" in pods;
    if (this.#isRefused) {
      this.#dueMs = clock.monotonicMs() + refusedForMs;
      return undefined;
    }
    const ofNodes = "refused" in nodes ? [] : nodes.data.items;
    return { pods: this.#podReadings.finish(), nodes: new Map(ofNodes.map((node) => [node.metadata.name, amountsOf(node.usage)])) };
  }
}

/**
 * A PodMetrics of metrics.k8s.io, of which each member may be anything. It is no schema: what one makes beside an answer of thousands of pods every few
 * seconds is several times as large, and holds everything up while it is collected.
 */
type PodMetrics = {
  metadata?: { name?: unknown; namespace?: unknown } | null;
  containers?: unknown;
} | null;
type ContainerMetrics = { usage?: Record<string, unknown> | null } | null;

interface Reading extends ResourceAmounts {
  /** The number of the reading that it is of. */
  number: number;
}

/** What pods use by the metrics API; the records of one reading are used again for the next. */
export interface PodReadings {
  begin(): void;
  /** A record that cannot be parsed leaves a gap only for its pod. */
  add(json: string | null): void;
  /** What was added since the beginning, by `namespace/name`; as it is until the next reading begins. */
  finish(): ReadonlyMap<string, ResourceAmounts>;
}

export function createPodReadings(): PodReadings {
  const readings = new Map<string, Reading>();
  let number = 0;

  return {
    begin() {
      number += 1;
    },
    add(json) {
      const pod = parseJson(json ?? "") as PodMetrics | undefined;
      const { name, namespace } = pod?.metadata ?? {};
      if (typeof name !== "string" || typeof namespace !== "string") return;
      const key = `${namespace}/${name}`;
      let reading = readings.get(key);
      if (reading === undefined) {
        reading = { number, cpuCores: null, memoryBytes: null };
        readings.set(key, reading);
      }
      reading.number = number;
      reading.cpuCores = null;
      reading.memoryBytes = null;
      if (Array.isArray(pod?.containers)) for (const each of pod.containers as ContainerMetrics[]) addTo(reading, amountsOf(each?.usage));
    },
    finish() {
      for (const [pod, reading] of readings) if (reading.number !== number) readings.delete(pod);
      return readings;
    },
  };
}
