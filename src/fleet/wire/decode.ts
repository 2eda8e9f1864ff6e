import { type DescField, type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type AgentMessage, AgentMessageSchema, EventSchema } from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_MESSAGE_BYTES, MAX_PARTS } from "./limits.ts";
import { type SentBatch, sentBatchOf } from "./sent-batch.ts";
import { WireError } from "./values.ts";

const TOO_DEEP = 20;

/**
 * Parses a message from untrusted bytes. Two bytes can stand for hundreds of bytes in memory, so the parts of a message are counted before any is
 * made; unknown fields are dropped. Throws a WireError.
 */
export function decode<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  return read(schema, bytes, (plain) => fromBinary(schema, plain, OPTIONS));
}

/** The contents of an agent's message. */
export type AgentBody = Exclude<AgentMessage["body"], { case: "batch" }> | { case: "batch"; value: SentBatch };

/** The same as {@link decode} for an AgentMessage, but faster for a batch. */
export function decodeAgentMessage(bytes: Uint8Array): AgentBody {
  return read(AgentMessageSchema, bytes, (plain): AgentBody => {
    const batch = sentBatchOf(plain, (event) => fromBinary(EventSchema, event, OPTIONS));
    return batch === undefined ? fromBinary(AgentMessageSchema, plain, OPTIONS).body : { case: "batch", value: batch };
  });
}

const OPTIONS = { readUnknownFields: false, recursionLimit: TOO_DEEP };

function read<Result>(schema: DescMessage, bytes: Uint8Array, make: (plain: Uint8Array) => Result): Result {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new WireError(schema.name, `has more than ${MAX_MESSAGE_BYTES} bytes`);
  // From a Buffer protobuf would make Buffers, which cost more.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const { parts } = countParts(schema, new BinaryReader(plain), { end: plain.length, parts: 0 });
    if (parts > MAX_PARTS) throw new WireError(schema.name, `has more than ${MAX_PARTS} parts`);
    return make(plain);
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw new WireError(schema.name, "cannot be read", { cause: error });
  }
}

/** How many parts one of this program's messages has, as a receiver counts them. */
export function partsOf(schema: DescMessage, bytes: Uint8Array): number {
  return countParts(schema, new BinaryReader(bytes), { end: bytes.length, parts: 0 }).parts;
}

interface Count {
  end: number;
  parts: number;
}

/** Adds the parts of a message to a count, until the limit is exceeded. */
function countParts(schema: DescMessage, reader: BinaryReader, count: Count): Count {
  const { end } = count;
  const fields = fieldsOf(schema);
  while (reader.pos < end && count.parts <= MAX_PARTS) {
    const [number, wireType] = reader.tag();
    const field = fields[number];
    if (field === undefined || wireType !== WireType.LengthDelimited) {
      // Skipped values come back as objects, which is too expensive for thousands of numbers.
      if (field !== undefined && wireType === WireType.Varint) reader.bool();
      else reader.skip(wireType, number, TOO_DEEP);
      continue;
    }
    count.parts += 1;
    const length = reader.uint32();
    const message = messageOf(field);
    // A packed list of numbers is one array.
    if (message === undefined) {
      if (field.fieldKind === "list" && field.listKind === "scalar" && field.packed) count.parts += length >> 3;
      reader.pos += length;
    } else {
      count.end = reader.pos + length;
      countParts(message, reader, count);
      count.end = end;
    }
  }
  return count;
}

function messageOf(field: DescField): DescMessage | undefined {
  return field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message") ? field.message : undefined;
}

/** The fields by their numbers, which are small. */
function fieldsOf(schema: DescMessage): readonly (DescField | undefined)[] {
  const known = FIELDS.get(schema);
  if (known !== undefined) return known;
  const fields: DescField[] = [];
  for (const field of schema.fields) fields[field.number] = field;
  FIELDS.set(schema, fields);
  return fields;
}

/** By schema; made on first use, since schemas are constants. */
const FIELDS = new WeakMap<DescMessage, readonly (DescField | undefined)[]>();
