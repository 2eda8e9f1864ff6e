import type { ReadingColumn } from "../../observations.ts";
import type { Tick } from "./tick.ts";

/** What is kept of each container over time, in this order for ever; more is only added at the end. */
const KEPT = [
  { name: "cpu_percent", unit: 0.01, from: "cpuPercent" },
  { name: "memory_bytes", unit: 1, from: "memoryBytes" },
  { name: "memory_limit_bytes", unit: 1, from: "memoryLimitBytes" },
  { name: "network_rx_bytes_per_second", unit: 1, from: "networkRxBytesPerSecond" },
  { name: "network_tx_bytes_per_second", unit: 1, from: "networkTxBytesPerSecond" },
  { name: "disk_read_bytes_per_second", unit: 1, from: "diskReadBytesPerSecond" },
  { name: "disk_write_bytes_per_second", unit: 1, from: "diskWriteBytesPerSecond" },
] as const satisfies readonly { name: string; unit: number; from: ReadingColumn }[];

export type KeptColumn = (typeof KEPT)[number]["name"];

/** The series of containers' resources, as the series store takes them. */
export const RESOURCE_FAMILY = { number: 1, columns: KEPT.map(({ name, unit }) => ({ name, unit })) };

/** Where a column is in an answer of the series store. */
export const COLUMN = Object.fromEntries(KEPT.map(({ name }, index) => [name, index])) as Record<KeptColumn, number>;

/** A tick as the series store takes it. */
export function seriesTick({ atMs, ids, columns }: Tick): { atMs: number; ids: readonly number[]; columns: Float64Array[] } {
  return { atMs, ids, columns: KEPT.map(({ from }) => columns[from]) };
}
