import type { ContainerUsage } from "../runtime.ts";

/** What a container was seen to use, before it is known how much it may use. */
export type Figures = Omit<ContainerUsage, "externalId" | "allocatedCpus" | "memoryLimitBytes">;

/** Memory without the page cache that the kernel would give back at once. */
export function workingSet(usageBytes: number | null, reclaimableBytes: number | null): number | null {
  return usageBytes === null ? null : Math.max(0, usageBytes - (reclaimableBytes ?? 0));
}

/** Whether a container's network counters are its own: not those of its host or of another container. */
export function hasOwnNetwork(networkMode: string | null): boolean {
  return networkMode === null || !/^(?:host|none|container:.*)$/.test(networkMode);
}
