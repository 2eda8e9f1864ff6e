/** A record of a spool file: what it looks like in bytes. */
import { crc32 } from "node:zlib";

/** An event that waits, encoded as it will be sent. */
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
/** No event is larger: no message is. */
const LARGEST_PAYLOAD = 4 * 1024 * 1024;

export function recordBytes({ payload }: SpoolRecord): number {
  return HEADER_BYTES + payload.length;
}

/** The header; the payload follows it in the file. */
export function headerOf({ seq, observedAtMs, payload }: SpoolRecord): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(payload.length, LENGTH_AT);
  header.writeDoubleLE(seq, SEQ_AT);
  header.writeDoubleLE(observedAtMs, OBSERVED_AT);
  header.writeUInt32LE(crc32(payload, crc32(header.subarray(LENGTH_AT))), CRC_AT);
  return header;
}

/** The record at a place of a file; undefined when what is there is damaged or cut off. Its payload is a view of the bytes. */
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

/** What a file holds. */
export interface Contents {
  /** In order of their seq; none twice. */
  records: SpoolRecord[];
  /** Places that were damaged, a torn end among them. */
  damages: number;
  /** Where the last whole record ends. */
  end: number;
}

/** All whole records of a file; what is damaged is passed over. */
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
    // A record with a number that was there before is a copy of it.
    if (record.seq > lastSeq) {
      records.push(record);
      lastSeq = record.seq;
    }
  }
  return { records, damages, end };
}

/** Where the next whole record begins; the end of the bytes when there is none. */
function nextRecord(bytes: Buffer, from: number): number {
  for (let offset = bytes.indexOf(MAGIC, from); offset !== -1; offset = bytes.indexOf(MAGIC, offset + 1))
    if (recordAt(bytes, offset) !== undefined) return offset;
  return bytes.length;
}
