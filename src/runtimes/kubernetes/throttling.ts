import { type Clock, nextTurnWhenDue } from "../../platform/clock.ts";
import type { Limiter } from "../../platform/queues.ts";
import type { KubernetesClient } from "./client/index.ts";

/** Of containers with a CPU limit: CFS periods in which they ran, and those in which the limit stopped them. */
const COUNTERS = { container_cpu_cfs_periods_total: "periods", container_cpu_cfs_throttled_periods_total: "throttled" } as const;
const LINE = /^(container_cpu_cfs_(?:throttled_)?periods_total)\{(.*)\} ([\d.e+]+)/;
const LABEL = /(\w+)="([^"\\]*)"/g;
const ANSWER_IDLE_MS = 10_000;
/** Of one kubelet; a node has some hundred pods, with about 10 kB each. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_LINE = 8 * 1024;
const MOST_CONTAINERS = 50_000;

interface Counted {
  periods: number;
  throttled: number;
}

/** Containers by `namespace/pod/container`. */
export type CpuCounters = Map<string, Counted>;

/**
 * Adds what the kubelet of a node has counted of its containers since they were started; answers whether it gave anything.
 * Source: https://github.com/google/cadvisor/blob/master/docs/storage/prometheus.md
 */
export async function readCounters(
  client: Pick<KubernetesClient, "stream">,
  nodeName: string,
  { to, signal }: { to: CpuCounters; signal: AbortSignal },
): Promise<"read" | "refused" | "silent"> {
  const path = `/api/v1/nodes/${encodeURIComponent(nodeName)}/proxy/metrics/cadvisor`;
  const answer = await client.stream(path, { signal, accept: "text/plain", idleTimeoutMs: ANSWER_IDLE_MS });
  if ("refused" in answer) return answer.refused.status === 403 || answer.refused.status === 401 ? "refused" : "silent";
  let rest = "";
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
    // Names of Kubernetes are ASCII.
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_LINE) rest = "";
    for (const line of lines) addLine(line, to);
    const turn = nextTurnWhenDue();
    if (turn !== undefined) await turn;
  }
  return "read";
}

function addLine(line: string, to: CpuCounters): void {
  const [, counter, labels = "", value] = (line.startsWith("container_cpu_cfs_") && LINE.exec(line)) || [];
  if (counter === undefined) return;
  const { namespace, pod, container } = Object.fromEntries(Array.from(labels.matchAll(LABEL), ([, name, text]) => [name, text]));
  // The pod as a whole has no container.
  if (!namespace || !pod || !container) return;
  const key = `${namespace}/${pod}/${container}`;
  const counted = to.get(key) ?? { periods: 0, throttled: 0 };
  counted[COUNTERS[counter as keyof typeof COUNTERS]] = Number(value);
  if (to.size < MOST_CONTAINERS) to.set(key, counted);
}

/** Of each pod by `namespace/name`: in which share of the periods between two readings its most throttled container was stopped, from 0 to 1. */
export function throttledShares(before: CpuCounters, after: CpuCounters): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [key, { periods, throttled }] of after) {
    const earlier = before.get(key);
    // One that was started again counts from nothing.
    if (earlier === undefined || periods < earlier.periods || throttled < earlier.throttled) continue;
    const pod = key.slice(0, key.lastIndexOf("/"));
    const share = periods === earlier.periods ? 0 : (throttled - earlier.throttled) / (periods - earlier.periods);
    shares.set(pod, Math.max(shares.get(pod) ?? 0, Math.min(1, share)));
  }
  return shares;
}

export interface ThrottlingOptions {
  client: Pick<KubernetesClient, "stream">;
  clock: Clock;
  everyMs: number;
  /** When it is asked for again what every kubelet refused. */
  refusedForMs: number;
}

/** How much CPU limits slow pods down, by two readings of what kubelets count. */
export class Throttling {
  readonly #options: ThrottlingOptions;
  #counters: CpuCounters = new Map();
  #dueMs = 0;

  constructor(options: ThrottlingOptions) {
    this.#options = options;
  }

  /** Shares of pods by `namespace/name`, of the nodes given; undefined when it is not due yet. `limit` holds how many are asked at once. */
  async read(
    nodeNames: readonly string[],
    { limit, signal }: { limit: Limiter; signal: AbortSignal },
  ): Promise<Map<string, number> | undefined> {
    const { client, clock, everyMs, refusedForMs } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#dueMs) return undefined;
    const read: CpuCounters = new Map();
    const answers = await Promise.all(
      nodeNames.map((name) => limit(() => readCounters(client, name, { to: read, signal }).catch(() => "silent" as const))),
    );
    const isRefused = answers.includes("refused") && !answers.includes("read");
    this.#dueMs = nowMs + (isRefused ? refusedForMs : everyMs);
    const shares = throttledShares(this.#counters, read);
    this.#counters = read;
    return shares;
  }
}
