import type { ContainerAnswer } from "./schemas.ts";

/** What a container may use at most. null is without a limit. */
export interface Limits {
  /** CPUs, by quota or by the number of those it is pinned to. */
  cpus: number | null;
  memoryBytes: number | null;
}

/** What the engine's host has. null is unknown. */
export interface Capacity {
  cpus: number | null;
  memoryBytes: number | null;
}

export const NO_LIMITS: Limits = { cpus: null, memoryBytes: null };

const DEFAULT_PERIOD_MICROSECONDS = 100_000;
const MOST_CPUS = 8192;
/** The kernel writes about 2^63 for no limit; no host has this much. */
const BEYOND_ANY_HOST_BYTES = 2 ** 60;

export function readLimits(hostConfig: ContainerAnswer["HostConfig"]): Limits {
  if (hostConfig == null) return NO_LIMITS;
  const { NanoCpus, CpuQuota, CpuPeriod, CpusetCpus, Memory } = hostConfig;
  const quota = CpuQuota / (CpuPeriod > 0 ? CpuPeriod : DEFAULT_PERIOD_MICROSECONDS);
  return { cpus: smallest([NanoCpus / 1e9, quota, countCpus(CpusetCpus)]), memoryBytes: smallest([Memory]) };
}

/** How many CPUs a container may use: its quota or pinning, and never more than there are. */
export function allocatedCpus(limits: Limits, capacity: Capacity): number | null {
  return smallest([limits.cpus, capacity.cpus]);
}

/** How much memory a container may use. `reported` is the limit that the engine reports with its figures. */
export function memoryLimit(limits: Limits, capacity: Capacity, reported: number | null = null): number | null {
  return smallest([limits.memoryBytes, capacity.memoryBytes, reported !== null && reported < BEYOND_ANY_HOST_BYTES ? reported : null]);
}

/** The number of CPUs in a list such as `0-3,7`; null when it names none or is not such a list. */
export function countCpus(list: string): number | null {
  const named = new Set<number>();
  for (const part of list.split(",")) {
    const [, first, last = first] = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first) || Number(last) >= MOST_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu += 1) named.add(cpu);
  }
  return named.size;
}

/** Zero and less stand for no limit. */
function smallest(values: (number | null)[]): number | null {
  const limits = values.filter((value): value is number => value !== null && value > 0);
  return limits.length === 0 ? null : Math.min(...limits);
}
