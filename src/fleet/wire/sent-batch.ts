import type { Message } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { READING_COLUMNS } from "../../observations.ts";
import {
  AgentMessageSchema,
  BatchSchema,
  type EndpointChecked,
  EndpointCheckedSchema,
  type Event,
  EventSchema,
  FailureClass,
  type HostWatched,
  HostWatchedSchema,
  type ResourcesSampled,
  ResourcesSampledSchema,
} from "./gen/service/agent/v1/ingest_pb.ts";

/** A batch as it was sent: its events are not checked yet. */
export interface SentBatch {
  firstSeq: bigint;
  events: readonly SentEvent[];
}

/** An event of it: a protobuf message, or a plain object with the same fields. */
export type SentEvent = Pick<Event, "seq" | "eventId" | "observedAtMs" | "replayed"> & { body: SentBody };

type Plain<Shape extends Message> = Omit<Shape, keyof Message>;
type PlainBody =
  | { case: "endpointChecked"; value: Plain<EndpointChecked> }
  | { case: "hostWatched"; value: Plain<HostWatched> }
  | { case: "resourcesSampled"; value: Plain<ResourcesSampled> };
type SentBody = Event["body"] | PlainBody;

/** The list of ids that was read last, and its position in the bytes of the message. */
interface LastIds {
  bytes: Uint8Array;
  from: number;
  to: number;
  ids: string[];
}

const { Varint, Bit64, LengthDelimited } = WireType;
const EVENT = EventSchema.field;
const CHECKED = EndpointCheckedSchema.field;
const IDS = ResourcesSampledSchema.field.externalIds.number;
const COLUMNS = new Map(READING_COLUMNS.map((column) => [ResourcesSampledSchema.field[column].number, column]));
const NOTHING = new Uint8Array(0);

/**
 * Parses the batch of an AgentMessage in the form in which agents write it; undefined for any other message. Events of frequent kinds are parsed
 * here, since protobuf takes five times as long for them, and a repeated list of ids is shared; any unusual event is left to `readEvent`. Throws the
 * errors of protobuf's reader.
 */
export function sentBatchOf(bytes: Uint8Array, readEvent: (bytes: Uint8Array) => Event): SentBatch | undefined {
  const reader = new BinaryReader(bytes);
  if (!isNext(reader, AgentMessageSchema.field.batch.number, LengthDelimited) || reader.uint32() !== bytes.length - reader.pos)
    return undefined;
  if (!isNext(reader, BatchSchema.field.firstSeq.number, Varint)) return undefined;
  const firstSeq = BigInt(reader.uint64());
  const events: SentEvent[] = [];
  const last: LastIds = { bytes, from: 0, to: 0, ids: [] };
  while (reader.pos < bytes.length) {
    if (!isNext(reader, BatchSchema.field.events.number, LengthDelimited)) return undefined;
    const end = reader.uint32() + reader.pos;
    if (end > bytes.length) return undefined;
    const from = reader.pos;
    events.push(eventOf(reader, end, last) ?? readEvent(bytes.subarray(from, end)));
    reader.pos = end;
  }
  return { firstSeq, events };
}

/** Whether this field begins here; moves behind its tag. */
function isNext(reader: BinaryReader, number: number, wireType: WireType): boolean {
  if (reader.pos >= reader.len) return false;
  const [foundNumber, foundType] = reader.tag();
  return foundNumber === number && foundType === wireType;
}

/** undefined for an event with an unknown field, or with two bodies. */
function eventOf(reader: BinaryReader, end: number, last: LastIds): SentEvent | undefined {
  const event: SentEvent = { seq: 0n, eventId: NOTHING, observedAtMs: 0n, replayed: false, body: { case: undefined } };
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (number === EVENT.seq.number && wireType === Varint) event.seq = BigInt(reader.uint64());
    else if (number === EVENT.eventId.number && wireType === LengthDelimited) event.eventId = reader.bytes();
    else if (number === EVENT.observedAtMs.number && wireType === Varint) event.observedAtMs = BigInt(reader.int64());
    else if (number === EVENT.replayed.number && wireType === Varint) event.replayed = reader.bool();
    else {
      const body = event.body.case === undefined && wireType === LengthDelimited ? bodyOf(number, reader, last) : undefined;
      if (body === undefined) return undefined;
      event.body = body;
    }
  }
  return reader.pos === end ? event : undefined;
}

function bodyOf(number: number, reader: BinaryReader, last: LastIds): PlainBody | undefined {
  const end = reader.uint32() + reader.pos;
  let body: PlainBody | undefined;
  if (number === EVENT.endpointChecked.number) body = checkedOf(reader, end);
  else if (number === EVENT.resourcesSampled.number) body = sampledOf(reader, end, last);
  else if (number === EVENT.hostWatched.number) body = watchedOf(reader, end);
  return reader.pos === end ? body : undefined;
}

function watchedOf(reader: BinaryReader, end: number): PlainBody | undefined {
  const value = { sinceMs: 0n };
  while (reader.pos < end) {
    if (!isNext(reader, HostWatchedSchema.field.sinceMs.number, Varint)) return undefined;
    value.sinceMs = BigInt(reader.int64());
  }
  return { case: "hostWatched", value };
}

function checkedOf(reader: BinaryReader, end: number): PlainBody | undefined {
  const value: Plain<EndpointChecked> = { key: "", success: false, observed: false, failureClass: FailureClass.UNSPECIFIED };
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (number === CHECKED.key.number && wireType === LengthDelimited) value.key = reader.string(true);
    else if (number === CHECKED.success.number && wireType === Varint) value.success = reader.bool();
    else if (number === CHECKED.observed.number && wireType === Varint) value.observed = reader.bool();
    else if (number === CHECKED.responseTimeMs.number && wireType === Bit64) value.responseTimeMs = reader.double();
    else if (number === CHECKED.httpStatus.number && wireType === Varint) value.httpStatus = reader.uint32();
    // As in protobuf, an unknown number is a class that a newer agent knows.
    else if (number === CHECKED.failureClass.number && wireType === Varint) value.failureClass = reader.int32() as FailureClass;
    else if (number === CHECKED.error.number && wireType === LengthDelimited) value.error = reader.string(true);
    else return undefined;
  }
  return { case: "endpointChecked", value };
}

function sampledOf(reader: BinaryReader, end: number, last: LastIds): PlainBody | undefined {
  const value: Plain<ResourcesSampled> = {
    externalIds: idsOf(reader, end, last),
    cpuPercent: NOTHING,
    cpuCoresUsed: NOTHING,
    memoryBytes: NOTHING,
    memoryLimitBytes: NOTHING,
    networkRxBytes: NOTHING,
    networkTxBytes: NOTHING,
    diskReadBytes: NOTHING,
    diskWriteBytes: NOTHING,
    networkRxBytesPerSecond: NOTHING,
    networkTxBytesPerSecond: NOTHING,
    diskReadBytesPerSecond: NOTHING,
    diskWriteBytesPerSecond: NOTHING,
  };
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const column = COLUMNS.get(number);
    if (column === undefined || wireType !== LengthDelimited) return undefined;
    value[column] = reader.bytes();
  }
  return { case: "resourcesSampled", value };
}

/** The ids that begin here. The containers of a host are mostly those of the reading before. */
function idsOf(reader: BinaryReader, end: number, last: LastIds): string[] {
  const { bytes } = last;
  const tag = (IDS << 3) | LengthDelimited;
  const from = reader.pos;
  const to = from + last.to - last.from;
  const isSame = to <= end && Buffer.compare(bytes.subarray(from, to), bytes.subarray(last.from, last.to)) === 0;
  if (isSame && (to === end || bytes[to] !== tag)) {
    reader.pos = to;
    return last.ids;
  }
  const ids: string[] = [];
  while (reader.pos < end && bytes[reader.pos] === tag) {
    reader.pos += 1;
    ids.push(reader.string(true));
  }
  Object.assign(last, { from, to: reader.pos, ids });
  return ids;
}
