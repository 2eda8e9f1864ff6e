import { z } from "zod";
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

const amount = z
  .number()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null);

/**
 * What is read of an engine's statistics, of control groups version 1 and 2, and of Podman, which leaves out `memory_stats.stats`.
 * `precpu_stats` is not read: it is empty or of a moment that is not ours.
 */
export const statsAnswer = z.object({
  read: z.string().nullish(),
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: amount }).nullish(), online_cpus: amount }).nullish(),
  memory_stats: z
    .object({ usage: amount, limit: amount, stats: z.object({ inactive_file: amount, total_inactive_file: amount }).nullish() })
    .nullish(),
  networks: z.record(z.string(), z.object({ rx_bytes: amount, tx_bytes: amount })).nullish(),
  blkio_stats: z.object({ io_service_bytes_recursive: z.array(z.object({ op: z.string().nullish(), value: amount })).nullish() }).nullish(),
});
export type StatsAnswer = z.infer<typeof statsAnswer>;

/** The figures of an answer and its limits. */
export interface AnsweredUsage {
  figures: Omit<Figures, "readAtMs">;
  /** When the engine read it, by its clock. */
  readAt: Date;
  onlineCpus: number | null;
  memoryLimitBytes: number | null;
}

/** Reads an answer; undefined for that of a container that does not run, which says the year 1. */
export function readStatsAnswer(answer: StatsAnswer): AnsweredUsage | undefined {
  const readAt = new Date(answer.read ?? Number.NaN);
  if (!(readAt.getTime() > 0)) return undefined;
  const { cpu_stats: cpu, memory_stats: memory, networks, blkio_stats: blkio } = answer;
  const interfaces = Object.values(networks ?? {});
  const transfers = blkio?.io_service_bytes_recursive ?? [];
  const transferred = (wanted: string): number | null =>
    sum(transfers.filter(({ op }) => op?.toLowerCase() === wanted).map(({ value }) => value));
  // Version 1 counts children under another name; Podman says the memory without any cache, and no details.
  const reclaimable = memory?.stats?.total_inactive_file ?? memory?.stats?.inactive_file ?? null;
  return {
    figures: {
      cpuNanoseconds: cpu?.cpu_usage?.total_usage ?? null,
      memoryBytes: workingSet(memory?.usage ?? null, reclaimable),
      networkRxBytes: sum(interfaces.map(({ rx_bytes }) => rx_bytes)),
      networkTxBytes: sum(interfaces.map(({ tx_bytes }) => tx_bytes)),
      diskReadBytes: transferred("read"),
      diskWriteBytes: transferred("write"),
    },
    readAt,
    onlineCpus: cpu?.online_cpus ?? null,
    memoryLimitBytes: memory?.limit ?? null,
  };
}

/** null for the sum of nothing: an engine leaves out both what it does not know and what never was. */
function sum(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
