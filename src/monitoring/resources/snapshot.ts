import type { SnapshotData, HostData } from "../../events.ts";
import { type ContainerReadings, READING_COLUMNS, type ReadingColumn, type HostReading, type RuntimeKind } from "../../observations.ts";

/** What the containers of one host use at one moment, by our ids. */
export interface Tick {
  atMs: number;
  /** The same as a text, since every snapshot has it. */
  timestamp: string;
  ids: readonly number[];
  /** The value at a place belongs to the container at that place of `ids`. */
  columns: ReadingColumns;
  /** Where a container is; undefined when it is not in it. */
  placeOf(id: number): number | undefined;
}

/**
 * Readings of containers that are known; `idsOfAll` has undefined for the others, which are left out. The containers are mostly those of the
 * tick before.
 */
export function readTick(
  readings: ContainerReadings,
  atMs: number,
  idsOfAll: readonly (number | undefined)[],
  before?: Pick<Tick, "ids" | "placeOf">,
): Tick {
  const { ids, placeOf } = before !== undefined && isSame(idsOfAll, before.ids) ? before : layOut(idsOfAll);
  const isWhole = ids.length === idsOfAll.length && READING_COLUMNS.every((name) => readings.columns[name].length === ids.length);
  const columns = isWhole ? readings.columns : gather(readings.columns, originsOf(idsOfAll, placeOf));
  return { atMs, timestamp: new Date(atMs).toISOString(), ids, columns, placeOf };
}

function isSame(ids: readonly (number | undefined)[], others: readonly number[]): boolean {
  return ids.length === others.length && ids.every((id, place) => id === others[place]);
}

/** Those that are known, each once. */
function layOut(idsOfAll: readonly (number | undefined)[]): Pick<Tick, "ids" | "placeOf"> {
  const places = new Map<number, number>();
  for (const id of idsOfAll) if (id !== undefined && !places.has(id)) places.set(id, places.size);
  return { ids: [...places.keys()], placeOf: (id) => places.get(id) };
}

/** For each place, where its container stood first. */
function originsOf(idsOfAll: readonly (number | undefined)[], placeOf: Tick["placeOf"]): number[] {
  const origins: number[] = [];
  idsOfAll.forEach((id, origin) => {
    const place = id === undefined ? undefined : placeOf(id);
    if (place === origins.length) origins.push(origin);
  });
  return origins;
}

/** The columns with the values from these places; NaN where there is none. */
function gather(columns: ReadingColumns, origins: readonly number[]): ReadingColumns {
  const gathered = READING_COLUMNS.map((name): [ReadingColumn, Float64Array] => {
    const column = columns[name];
    return [name, Float64Array.from(origins, (origin) => column[origin] ?? Number.NaN)];
  });
  // One entry for each name is all that the type asks for.
  return Object.fromEntries(gathered) as Record<ReadingColumn, Float64Array>;
}

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

/** The last reading that a host reported of itself. */
export interface HostSample {
  reading: HostReading;
  at: Date;
  /** Said lately enough to hold. */
  available: boolean;
}

/** A host as it goes over the wire; one that was never sampled has nothing but its containers. */
export function hostRecord(
  agentId: string | null,
  sample: HostSample | undefined,
  { label, running, runtime }: { label?: string | undefined; running: number; runtime: RuntimeKind | null },
): HostData {
  const reading = sample?.reading;
  return {
    agent_id: agentId,
    label: label || reading?.hostname || (agentId ?? "local"),
    hostname: reading?.hostname || null,
    os: reading?.os ?? null,
    runtime,
    cpu_percent: percent(reading?.cpuPercent),
    cpu_count: reading?.cpuCount ?? null,
    memory_bytes: whole(reading?.memoryBytes),
    memory_total_bytes: whole(reading?.memoryTotalBytes),
    disk_bytes: whole(reading?.diskBytes),
    disk_total_bytes: whole(reading?.diskTotalBytes),
    load: reading?.load ?? null,
    uptime_seconds: reading?.uptimeSeconds ?? null,
    running_containers: running,
    available: sample?.available ?? false,
    timestamp: sample?.at.toISOString() ?? null,
  };
}
