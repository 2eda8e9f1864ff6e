import { z } from "zod";
import type { ResourceAmounts } from "../../observations/kubernetes-object.ts";
import type { Clock } from "../../platform/clock.ts";
import { type KubernetesClient, readItems } from "./client/index.ts";
import { parseQuantity } from "./objects/values.ts";
import { createPodReadings } from "./pod-readings.ts";
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

function amountsOf(values: Record<string, unknown> | null | undefined): ResourceAmounts {
  return { cpuCores: parseQuantity(values?.["cpu"]), memoryBytes: parseQuantity(values?.["memory"]) };
}
