import { z } from "zod";
import type { ResourceAmounts } from "../../observations/kubernetes-workloads.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Limiter } from "../../platform/queues.ts";
import type { KubernetesClient } from "./client/index.ts";
import { total } from "./objects/values.ts";
import type { ClusterUsage } from "./view/index.ts";

const TIMEOUT_MS = 10_000;

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
export type Summary = z.infer<typeof summary>;

export interface KubeletSummariesOptions {
  client: Pick<KubernetesClient, "read">;
  clock: Clock;
  /** When they are asked for again what every kubelet refused. */
  refusedForMs: number;
}

/** What the kubelets of a cluster measure of their pods and volumes; large, so asked for when it is due. */
export class KubeletSummaries {
  readonly #options: KubeletSummariesOptions;
  #dueMs = 0;
  #isRefused = false;

  constructor(options: KubeletSummariesOptions) {
    this.#options = options;
  }

  /** Whether none of them may be read. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Of the nodes given that answer; empty when none does or it is not due yet. `limit` holds how many are asked at once. */
  async read(
    nodeNames: readonly string[],
    { everyMs, limit, signal }: { everyMs: number; limit: Limiter; signal: AbortSignal },
  ): Promise<Summary[]> {
    const { clock, refusedForMs } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#dueMs) return [];
    this.#dueMs = nowMs + everyMs;
    const answers = await Promise.all(nodeNames.map((name) => limit(() => this.#readOne(name, signal))));
    const read = answers.filter((answer) => typeof answer === "object");
    this.#isRefused = read.length === 0 && answers.includes("refused");
    if (this.#isRefused) this.#dueMs = nowMs + refusedForMs;
    return read;
  }

  /** A kubelet that does not answer leaves a gap only in the figures of its pods. */
  async #readOne(name: string, signal: AbortSignal): Promise<Summary | "refused" | "silent"> {
    const path = `/api/v1/nodes/${encodeURIComponent(name)}/proxy/stats/summary`;
    const answer = await this.#options.client.read(summary, path, { signal, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    if (answer === undefined) return "silent";
    if ("data" in answer) return answer.data;
    return answer.refused.status === 403 || answer.refused.status === 401 ? "refused" : "silent";
  }
}

/** What they say together. */
export function usageOf(summaries: readonly Summary[]): Pick<ClusterUsage, "pods" | "nodes" | "volumes"> {
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
  return { pods, nodes, volumes };
}

function measured({ cpu, memory: of }: Pick<Summary["node"], "cpu" | "memory">): ResourceAmounts {
  return { cpuCores: cpu?.usageNanoCores == null ? null : cpu.usageNanoCores / 1e9, memoryBytes: of?.workingSetBytes ?? null };
}
