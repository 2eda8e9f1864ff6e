import type { SnapshotData } from "../../events.ts";
import type { ContainerReadings } from "../../observations.ts";

export type ReadingColumns = ContainerReadings["columns"];

/** What the container at one place of the columns uses, as it goes over the wire: rounded, and null where nothing was read. */
export function snapshotAt(
  columns: ReadingColumns,
  place: number,
  { containerId, timestamp }: { containerId: number; timestamp: string },
): SnapshotData {
  return {
    container_id: containerId,
    cpu_percent: percent(columns.cpuPercent[place]),
    cpu_cores_used: cores(columns.cpuCoresUsed[place]),
    memory_bytes: whole(columns.memoryBytes[place]),
    memory_limit_bytes: whole(columns.memoryLimitBytes[place]),
    memory_percent: shareInPercent(columns.memoryBytes[place], columns.memoryLimitBytes[place]),
    network_rx_bytes: whole(columns.networkRxBytes[place]),
    network_tx_bytes: whole(columns.networkTxBytes[place]),
    disk_read_bytes: whole(columns.diskReadBytes[place]),
    disk_write_bytes: whole(columns.diskWriteBytes[place]),
    network_rx_bytes_per_second: whole(columns.networkRxBytesPerSecond[place]),
    network_tx_bytes_per_second: whole(columns.networkTxBytesPerSecond[place]),
    disk_read_bytes_per_second: whole(columns.diskReadBytesPerSecond[place]),
    disk_write_bytes_per_second: whole(columns.diskWriteBytesPerSecond[place]),
    timestamp,
  };
}

/** With two decimals, 0..100; null when it is not a number. */
export function percent(value: number | null | undefined): number | null {
  return isNumber(value) ? Math.min(Math.max(Math.round(value * 100) / 100, 0), 100) : null;
}

/** How much of the limit is used; null without a limit. */
export function shareInPercent(bytes: number | undefined, limitBytes: number | undefined): number | null {
  return bytes !== undefined && limitBytes !== undefined && limitBytes > 0 ? percent((bytes / limitBytes) * 100) : null;
}

/** With four decimals. */
export function cores(value: number | null | undefined): number | null {
  return isNumber(value) ? Math.max(Math.round(value * 10_000) / 10_000, 0) : null;
}

/** Bytes and rates. */
export function whole(value: number | null | undefined): number | null {
  return isNumber(value) ? Math.max(Math.round(value), 0) : null;
}

function isNumber(value: number | null | undefined): value is number {
  return Number.isFinite(value);
}
