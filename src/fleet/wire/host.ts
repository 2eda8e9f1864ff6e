import type { MessageInitShape, Message } from "@bufbuild/protobuf";
import { type HostReading, type ContainerReadings, READING_COLUMNS, type ReadingColumn } from "../../observations.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_NAME, MAX_NUMBER, MAX_CONTAINERS, MAX_ID } from "./limits.ts";
import { nameOf, optionalName, within, WireError, idOf } from "./values.ts";

const NUMBERS = ["cpuPercent", "memoryBytes", "memoryTotalBytes", "diskBytes", "diskTotalBytes", "uptimeSeconds"] as const;

export function toHost(host: HostReading): MessageInitShape<typeof wire.HostSampledSchema> {
  const sent: MessageInitShape<typeof wire.HostSampledSchema> = {
    hostname: host.hostname,
    os: host.os ?? undefined,
    cpuCount: host.cpuCount,
    load: host.load ?? [],
  };
  for (const name of NUMBERS) sent[name] = host[name] ?? undefined;
  return sent;
}

export function fromHost(sent: wire.HostSampled, where: string): HostReading {
  const numberAt = (name: (typeof NUMBERS)[number]): number | null => {
    const value = sent[name];
    return value === undefined ? null : within(value, `${where}.${name}`, [0, MAX_NUMBER]);
  };
  return {
    hostname: nameOf(sent.hostname, `${where}.hostname`, MAX_NAME),
    os: optionalName(sent.os, `${where}.os`, MAX_NAME),
    cpuCount: sent.cpuCount,
    cpuPercent: numberAt("cpuPercent"),
    memoryBytes: numberAt("memoryBytes"),
    memoryTotalBytes: numberAt("memoryTotalBytes"),
    diskBytes: numberAt("diskBytes"),
    diskTotalBytes: numberAt("diskTotalBytes"),
    load: fromLoad(sent.load, `${where}.load`),
    uptimeSeconds: numberAt("uptimeSeconds"),
  };
}

function fromLoad(load: readonly number[], where: string): HostReading["load"] {
  if (load.length === 0) return null;
  const [one, five, fifteen, more] = load;
  if (one === undefined || five === undefined || fifteen === undefined || more !== undefined)
    throw new WireError(where, "is not three numbers");
  const number = (value: number): number => within(value, where, [0, MAX_NUMBER]);
  return [number(one), number(five), number(fifteen)];
}

const BYTES = Float64Array.BYTES_PER_ELEMENT;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const NOTHING = new Uint8Array(0);

export function toReadings({ externalIds, columns }: ContainerReadings): MessageInitShape<typeof wire.ResourcesSampledSchema> {
  const sent: MessageInitShape<typeof wire.ResourcesSampledSchema> = { externalIds: [...externalIds] };
  for (const column of READING_COLUMNS) sent[column] = toBytes(columns[column]);
  return sent;
}

/** No bytes for a column without known values. */
function toBytes(column: Float64Array): Uint8Array {
  if (!column.some((value) => !Number.isNaN(value))) return NOTHING;
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap64();
}

export function fromReadings(
  sent: Omit<wire.ResourcesSampled, keyof Message>,
  where: string,
  goodIds: Set<readonly string[]> = new Set(),
): ContainerReadings {
  const { externalIds } = sent;
  if (!goodIds.has(externalIds)) checkIds(externalIds, `${where}.external_ids`);
  goodIds.add(externalIds);
  const { length } = externalIds;
  // One buffer for all columns: twelve small ones would cost more than everything else.
  const memory = new Float64Array(length * READING_COLUMNS.length);
  const bytes = new Uint8Array(memory.buffer);
  READING_COLUMNS.forEach((column, place) => {
    if (sent[column].length === length * BYTES) bytes.set(sent[column], place * length * BYTES);
    else if (sent[column].length > 0) throw new WireError(`${where}.${column}`, `is not ${length} numbers long, as external_ids is`);
  });
  if (!IS_LITTLE_ENDIAN) Buffer.from(memory.buffer).swap64();
  forgetImpossible(memory);
  const read = (column: ReadingColumn, place: number): [ReadingColumn, Float64Array] => {
    const values = memory.subarray(place * length, (place + 1) * length);
    return [column, sent[column].length === 0 ? values.fill(Number.NaN) : values];
  };
  // The type requires one entry for each name.
  return { externalIds, columns: Object.fromEntries(READING_COLUMNS.map(read)) as Record<ReadingColumn, Float64Array> };
}

/** Values that no host can have become unknown. */
function forgetImpossible(values: Float64Array): void {
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place] ?? Number.NaN;
    if (!(value >= 0 && value <= MAX_NUMBER)) values[place] = Number.NaN;
  }
}

function checkIds(externalIds: readonly string[], where: string): void {
  if (externalIds.length > MAX_CONTAINERS) throw new WireError(where, `has more than ${MAX_CONTAINERS} items`);
  for (const id of externalIds) idOf(id, where, MAX_ID);
}
