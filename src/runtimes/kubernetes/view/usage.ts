import type { PodUsage } from "../../../observations/kubernetes-workloads.ts";
import type { ResourceAmounts } from "../../../observations/kubernetes-object.ts";

/** What pods and nodes use, by the last reading. Pods by `namespace/name`, nodes by name; what is of pods changes with the next reading. */
export interface ClusterUsage {
  pods: ReadonlyMap<string, ResourceAmounts>;
  /** Shares from 0 to 1, of pods with a CPU limit. */
  throttled: ReadonlyMap<string, number>;
  nodes: ReadonlyMap<string, ResourceAmounts>;
  /** Of volumes, by `namespace/name` of their claim. */
  volumes: ReadonlyMap<string, { usedBytes: number; sizeBytes: number }>;
}

export const NO_USAGE: ClusterUsage = { pods: new Map(), throttled: new Map(), nodes: new Map(), volumes: new Map() };

/** A tenth, and not less than this, is worth a word: readings come every few seconds, of every pod. */
const SHARE = 0.1;
const LEAST_CORES = 0.01;
const LEAST_BYTES = 8 * 1024 * 1024;

/** The reading to publish: that of before where the new one hardly differs. */
export function steadyUsage(before: ResourceAmounts | null | undefined, now: ResourceAmounts | undefined): ResourceAmounts | null {
  if (now === undefined) return null;
  if (before == null) return now;
  const isSteady = isNear(before.cpuCores, now.cpuCores, LEAST_CORES) && isNear(before.memoryBytes, now.memoryBytes, LEAST_BYTES);
  return isSteady ? before : now;
}

const LEAST_SHARE = 0.02;

/** The same of a pod. */
export function steadyPodUsage(
  before: PodUsage | null | undefined,
  usage: Pick<ClusterUsage, "pods" | "throttled">,
  pod: string,
): PodUsage | null {
  const amounts = usage.pods.get(pod);
  if (amounts === undefined) return null;
  const throttledShare = usage.throttled.get(pod) ?? null;
  const isSteady = before != null && steadyUsage(before, amounts) === before && isNear(before.throttledShare, throttledShare, LEAST_SHARE);
  return isSteady ? before : { cpuCores: amounts.cpuCores, memoryBytes: amounts.memoryBytes, throttledShare };
}

function isNear(before: number | null, now: number | null, least: number): boolean {
  if (before === null || now === null) return before === now;
  return Math.abs(now - before) < Math.max(least, before * SHARE);
}
