import type { ResourceAmounts } from "../../observations/kubernetes.ts";
import { nextTurnWhenDue } from "../../platform/clock.ts";
import { parseJson, type KubernetesClient } from "./client/index.ts";
import { parseQuantity } from "./objects/values.ts";

/**
 * A PodMetrics of metrics.k8s.io, of which each member may be anything. It is no schema: what one makes beside an answer of thousands of pods every few
 * seconds is several times as large, and holds everything up while it is collected.
 */
type PodMetrics = {
  metadata?: { name?: unknown; namespace?: unknown } | null;
  containers?: unknown;
} | null;
type ContainerMetrics = { usage?: { cpu?: unknown; memory?: unknown } | null } | null;

interface Reading extends ResourceAmounts {
  /** The number of the reading that it is of. */
  number: number;
}

/** What pods use by the metrics API; the records of one reading are used again for the next. */
export interface PodReadings {
  begin(): void;
  /** One that is not understood is a gap of its own pod alone. */
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
      if (Array.isArray(pod?.containers))
        for (const each of pod.containers as ContainerMetrics[])
          addTo(reading, { cpuCores: parseQuantity(each?.usage?.cpu), memoryBytes: parseQuantity(each?.usage?.memory) });
    },
    finish() {
      for (const [pod, reading] of readings) if (reading.number !== number) readings.delete(pod);
      return readings;
    },
  };
}

/** null where none of them is known. */
export function total(amounts: readonly ResourceAmounts[]): ResourceAmounts {
  const sum: ResourceAmounts = { cpuCores: null, memoryBytes: null };
  for (const each of amounts) addTo(sum, each);
  return sum;
}

/** An amount stays null where none of its parts is known. */
function addTo(sum: ResourceAmounts, { cpuCores, memoryBytes }: ResourceAmounts): void {
  if (cpuCores !== null) sum.cpuCores = (sum.cpuCores ?? 0) + cpuCores;
  if (memoryBytes !== null) sum.memoryBytes = (sum.memoryBytes ?? 0) + memoryBytes;
}

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
