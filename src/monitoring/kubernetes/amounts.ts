import type { ResourceAmounts } from "../../observations/kubernetes.ts";
import type { AmountsRecord } from "./schemas.ts";

const NONE: ResourceAmounts = { cpuCores: null, memoryBytes: null };

/** What is there of it together; null where there is none of it. */
export function sumOf(all: readonly (ResourceAmounts | null)[]): ResourceAmounts {
  return all.reduce<ResourceAmounts>(
    (sum, each) => ({ cpuCores: add(sum.cpuCores, each?.cpuCores), memoryBytes: add(sum.memoryBytes, each?.memoryBytes) }),
    NONE,
  );
}

/** The same for limits: where one of them has none, all of them together have none. */
export function limitOf(all: readonly ResourceAmounts[]): ResourceAmounts {
  const sum = sumOf(all);
  return {
    cpuCores: all.some(({ cpuCores }) => cpuCores === null) ? null : sum.cpuCores,
    memoryBytes: all.some(({ memoryBytes }) => memoryBytes === null) ? null : sum.memoryBytes,
  };
}

/** Of the containers of a pod that run at the same time; those that prepare it are done before. */
export function lasting<Container extends { kind: "app" | "init" | "sidecar" | "ephemeral" }>(
  containers: readonly Container[],
): Container[] {
  return containers.filter(({ kind }) => kind === "app" || kind === "sidecar");
}

export function amountsRecord({ cpuCores, memoryBytes }: ResourceAmounts): AmountsRecord {
  return { cpu_cores: cpuCores, memory_bytes: memoryBytes };
}

export function usageRecord(usage: ResourceAmounts | null): AmountsRecord | null {
  return usage === null || (usage.cpuCores === null && usage.memoryBytes === null) ? null : amountsRecord(usage);
}

function add(one: number | null, other: number | null | undefined): number | null {
  if (other == null) return one;
  return (one ?? 0) + other;
}
