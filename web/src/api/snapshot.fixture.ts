import type { SnapshotData } from "../../../src/events.ts";
import type { SnapshotEvent } from "./apply-snapshot.ts";

/** A tick for tests. */
export const TICK = "2026-11-21T04:00:10.000Z";

/** What a container uses, for tests: what is left out is not known. */
export function snapshotData(parts: Partial<SnapshotData> & { container_id: number }): SnapshotData {
  return {
    cpu_percent: null,
    cpu_cores_used: null,
    memory_bytes: null,
    memory_limit_bytes: null,
    memory_percent: null,
    network_rx_bytes: null,
    network_tx_bytes: null,
    disk_read_bytes: null,
    disk_write_bytes: null,
    network_rx_bytes_per_second: null,
    network_tx_bytes_per_second: null,
    disk_read_bytes_per_second: null,
    disk_write_bytes_per_second: null,
    timestamp: TICK,
    ...parts,
  };
}

/** What a host says at a tick, for tests. */
export function snapshotEvent(
  snapshots: readonly (Partial<SnapshotData> & { container_id: number })[],
  { agent_id = null, timestamp = TICK, host = null }: Partial<SnapshotEvent> = {},
): SnapshotEvent {
  return { agent_id, host, timestamp, snapshots: snapshots.map((parts) => snapshotData({ timestamp, ...parts })) };
}
