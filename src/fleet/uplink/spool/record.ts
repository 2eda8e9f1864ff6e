/** The binary format of a record in a spool file. */
import { crc32 } from "node:zlib";

/** An event that waits, in the form in which it will be sent. */
export interface SpoolRecord {
  /** Rises with every event of the agent. */
  seq: number;
  observedAtMs: number;
  /** The bytes of the event's message. */
  payload: Buffer;
}

/*
 * magic (2) ‖ CRC-32 of all that follows (4) ‖ length of the payload (4) ‖ seq (8) ‖ observedAtMs (8) ‖ payload; little-endian, numbers as doubles.
 * The magic is where a reader looks for the next record after a damaged one.
 */
export const HEADER_BYTES = 26;
const MAGIC = Buffer.from([0xb1, 0xac]);
const CRC_AT = 2;
const LENGTH_AT = 6;
const SEQ_AT = 10;
const OBSERVED_AT = 18;
/** No event is larger, since no message is. */
const LARGEST_PAYLOAD = 4 * 1024 * 1024;

export function recordBytes({ payload }: SpoolRecord): number {
  return HEADER_BYTES + payload.length;
}

/** The header, which is before the payload in the file. */
export function headerOf({ seq, observedAtMs, payload }: SpoolRecord): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(payload.length, LENGTH_AT);
  header.writeDoubleLE(seq, SEQ_AT);
  header.writeDoubleLE(observedAtMs, OBSERVED_AT);
  header.writeUInt32LE(crc32(payload, crc32(header.subarray(LENGTH_AT))), CRC_AT);
  return header;
}

/** The record at an offset of a file; undefined when it is damaged or cut off. Its payload is a view of the bytes. */
export function recordAt(bytes: Buffer, offset: number): SpoolRecord | undefined {
  const body = offset + HEADER_BYTES;
  if (body > bytes.length || bytes[offset] !== MAGIC[0] || bytes[offset + 1] !== MAGIC[1]) return undefined;
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  if (length > LARGEST_PAYLOAD || body + length > bytes.length) return undefined;
  if (crc32(bytes.subarray(offset + LENGTH_AT, body + length)) !== bytes.readUInt32LE(offset + CRC_AT)) return undefined;
  return {
    seq: bytes.readDoubleLE(offset + SEQ_AT),
    observedAtMs: bytes.readDoubleLE(offset + OBSERVED_AT),
    payload: bytes.subarray(body, body + length),
  };
}

/** The contents of a file. */
export interface Contents {
  /** In the order of their seq, without duplicates. */
  records: SpoolRecord[];
  /** How many places were damaged, including a torn end. */
  damages: number;
  /** Where the last whole record ends. */
  end: number;
}

/** All whole records of a file; damaged ones are skipped. */
export function recordsIn(bytes: Buffer): Contents {
  const records: SpoolRecord[] = [];
  let damages = 0;
  let end = 0;
  let lastSeq = -Infinity;
  for (let offset = 0; offset < bytes.length;) {
    const record = recordAt(bytes, offset);
    if (record === undefined) {
      damages += 1;
      offset = nextRecord(bytes, offset + 1);
      continue;
    }
    offset += recordBytes(record);
    end = offset;
    // A record whose number was there before is a copy.
    if (record.seq > lastSeq) {
      records.push(record);
      lastSeq = record.seq;
    }
  }
  return { records, damages, end };
}

/** The offset of the next whole record; the end of the bytes when there is none. */
function nextRecord(bytes: Buffer, from: number): number {
  for (let offset = bytes.indexOf(MAGIC, from); offset !== -1; offset = bytes.indexOf(MAGIC, offset + 1))
    if (recordAt(bytes, offset) !== undefined) return offset;
  return bytes.length;
}
