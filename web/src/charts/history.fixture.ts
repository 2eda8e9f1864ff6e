import type { SnapshotData } from "../../../src/events.ts";
import type { History } from "../../../src/monitoring/resources/answers.ts";

/** A reading in which nothing is known but what `parts` say. */
export function snapshotAt(atMs: number, parts: Partial<SnapshotData> = {}): SnapshotData {
  return {
    container_id: 1,
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
    timestamp: new Date(atMs).toISOString(),
    ...parts,
  };
}

/** A history whose columns are null where `parts` say nothing. */
export function historyOf(
  { range, stepSeconds }: { range: History["range"]; stepSeconds: number },
  timesMs: readonly number[],
  parts: Partial<Omit<History["series"], "timestamps">> = {},
): History {
  const nothing = timesMs.map(() => null);
  return {
    container_id: 1,
    range,
    step_seconds: stepSeconds,
    series: {
      timestamps: timesMs.map((atMs) => new Date(atMs).toISOString()),
      cpu_percent: nothing,
      cpu_percent_max: nothing,
      memory_bytes: nothing,
      memory_bytes_max: nothing,
      memory_limit_bytes: nothing,
      network_rx_bytes_per_second: nothing,
      network_tx_bytes_per_second: nothing,
      disk_read_bytes_per_second: nothing,
      disk_write_bytes_per_second: nothing,
      ...parts,
    },
    breaches: [],
  };
}
