import { promisify } from "node:util";
import { constants, crc32, zstdCompressSync, zstdDecompress, zstdDecompressSync, type ZstdOptions } from "node:zlib";
import type { LogLevel } from "../../../contract/log-level.ts";
import { withoutColours } from "../../../platform/text.ts";
import type { LogLine } from "../../../runtimes/runtime.ts";
import { indexText } from "./grams.ts";

/** A line as it is stored. */
export interface StoredLine {
  atMs: number;
  stream: LogLine["stream"];
  level: LogLevel | null;
  text: string;
}

/** What is known of a chunk without its lines. */
export interface ChunkHead {
  /** Where it begins in its file, and how long it is. */
  offset: number;
  bytes: number;
  /** Rises by one from chunk to chunk of a container. */
  number: number;
  lines: number;
  firstMs: number;
  lastMs: number;
  /** UTF-8 bytes of its text. */
  textBytes: number;
  indexBytes: number;
  factsBytes: number;
  plainFactsBytes: number;
  bodyChecksum: number;
  hasColours: boolean;
}

export const HEAD_BYTES = 64;
const MAGIC = 0x31434c42; // "BLC1"
const LEVELS = [null, "error", "warn", "info", "debug"] as const;
const IS_STDERR = 8;
/** A chunk has a megabyte of text at most, and a few bytes for each of its lines. */
const LARGEST_PART = 64 * 1024 * 1024;

/** Lines in order of time as one chunk: head, bitmap for searches, times and levels, text. Without a bitmap it is searched always. */
export function encodeChunk(lines: readonly StoredLine[], { number, isIndexed }: { number: number; isIndexed: boolean }): Buffer {
  const plain = lines.map(({ text }) => withoutColours(text));
  const index = isIndexed ? indexText(plain.join("\n").toLowerCase()) : new Uint8Array();
  const text = Buffer.from(lines.map((line) => line.text).join("\n"));
  const facts = encodeFacts(lines);
  const packedFacts = compress(facts);
  const body = Buffer.concat([index, packedFacts, compress(text)]);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(number, 8);
  head.writeUInt32LE(lines.length, 12);
  head.writeDoubleLE(lines[0]?.atMs ?? 0, 16);
  head.writeDoubleLE(lines.at(-1)?.atMs ?? 0, 24);
  head.writeUInt32LE(body.length, 32);
  head.writeUInt32LE(index.length, 36);
  head.writeUInt32LE(packedFacts.length, 40);
  head.writeUInt32LE(facts.length, 44);
  head.writeUInt32LE(text.length, 48);
  head.writeUInt32LE(crc32(body), 52);
  head.writeUInt8(plain.every((each, at) => each === lines[at]?.text) ? 0 : 1, 56);
  head.writeUInt32LE(crc32(head.subarray(8)), 4);
  return Buffer.concat([head, body]);
}

/** The head at this place of a file; undefined when there is none that is whole. */
export function readHead(bytes: Buffer, offset: number, fileBytes: number): ChunkHead | undefined {
  if (offset + HEAD_BYTES > fileBytes || bytes.length < HEAD_BYTES) return undefined;
  if (bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(4) !== crc32(bytes.subarray(8, HEAD_BYTES))) return undefined;
  const whole = HEAD_BYTES + bytes.readUInt32LE(32);
  if (offset + whole > fileBytes) return undefined;
  return {
    offset,
    bytes: whole,
    number: bytes.readUInt32LE(8),
    lines: bytes.readUInt32LE(12),
    firstMs: bytes.readDoubleLE(16),
    lastMs: bytes.readDoubleLE(24),
    indexBytes: bytes.readUInt32LE(36),
    factsBytes: bytes.readUInt32LE(40),
    plainFactsBytes: bytes.readUInt32LE(44),
    textBytes: bytes.readUInt32LE(48),
    bodyChecksum: bytes.readUInt32LE(52),
    hasColours: bytes.readUInt8(56) === 1,
  };
}

/** The heads of a file that was read whole, up to the first that is torn. */
export function readHeads(file: Buffer): ChunkHead[] {
  const heads: ChunkHead[] = [];
  for (let offset = 0; offset < file.length;) {
    const head = readHead(file.subarray(offset), offset, file.length);
    if (head === undefined) break;
    heads.push(head);
    offset += head.bytes;
  }
  return heads;
}

/** A chunk in the bytes of its file. Its parts are opened when they are first asked for, and throw when they are damaged. */
export interface OpenChunk {
  head: Pick<ChunkHead, "number" | "lines" | "firstMs" | "lastMs" | "textBytes" | "hasColours">;
  index: Uint8Array;
  isWhole(): boolean;
  times(): Float64Array;
  levelAt(line: number): LogLevel | null;
  streamAt(line: number): LogLine["stream"];
  /** Unpacks its text on another thread, where it is packed; else that is done when the text is first asked for. */
  unpack(): Promise<void>;
  text(): string;
  /** With other characters in the place of those that are not ASCII: to look for ASCII in any case takes a fraction of the time in it. */
  asciiText(): string;
  textAt(line: number): string;
}

/** With all of its head. */
export type SealedChunk = OpenChunk & { head: ChunkHead };

export function openChunk(file: Buffer, head: ChunkHead): SealedChunk {
  const from = file.subarray(head.offset + HEAD_BYTES, head.offset + head.bytes);
  let facts: { flags: Uint8Array; times: Float64Array } | undefined;
  let isWhole: boolean | undefined;
  let bytes: Buffer | undefined;
  let text: string | undefined;
  let texts: string[] | undefined;

  const packedText = from.subarray(head.indexBytes + head.factsBytes);
  const readBytes = (): Buffer => (bytes ??= decompress(packedText, head.textBytes));
  const readFacts = (): { flags: Uint8Array; times: Float64Array } =>
    (facts ??= decodeFacts(decompress(from.subarray(head.indexBytes, head.indexBytes + head.factsBytes), head.plainFactsBytes), head));
  const readText = (): string => (text ??= readBytes().toString("utf8"));

  return {
    head,
    index: from.subarray(0, head.indexBytes),
    isWhole: () => (isWhole ??= crc32(from) === head.bodyChecksum),
    times: () => readFacts().times,
    levelAt: (line) => LEVELS[(readFacts().flags[line] ?? 0) & 7] ?? null,
    streamAt: (line) => (((readFacts().flags[line] ?? 0) & IS_STDERR) === 0 ? "stdout" : "stderr"),
    async unpack() {
      bytes ??= await decompressElsewhere(packedText, roomFor(head.textBytes));
    },
    text: readText,
    asciiText: () => readBytes().toString("latin1"),
    textAt(line) {
      texts ??= readText().split("\n");
      return texts[line] ?? "";
    },
  };
}

/** Lines in order of time, as a chunk of which nothing is stored. */
export function chunkInMemory(lines: readonly StoredLine[], number: number): OpenChunk {
  const text = lines.map((line) => line.text).join("\n");
  return {
    head: {
      number,
      lines: lines.length,
      firstMs: lines[0]?.atMs ?? 0,
      lastMs: lines.at(-1)?.atMs ?? 0,
      textBytes: text.length,
      hasColours: withoutColours(text) !== text,
    },
    index: new Uint8Array(),
    isWhole: () => true,
    times: () => Float64Array.from(lines, ({ atMs }) => atMs),
    levelAt: (line) => lines[line]?.level ?? null,
    streamAt: (line) => lines[line]?.stream ?? "stdout",
    unpack: async () => undefined,
    text: () => text,
    asciiText: () => text,
    textAt: (line) => lines[line]?.text ?? "",
  };
}

/** All lines of a chunk. */
export function linesOf(chunk: OpenChunk): StoredLine[] {
  return Array.from(chunk.times(), (atMs, line) => ({
    atMs,
    stream: chunk.streamAt(line),
    level: chunk.levelAt(line),
    text: chunk.textAt(line),
  }));
}

/** A byte for stream and level of each line, then the time between each line and the one before. */
function encodeFacts(lines: readonly StoredLine[]): Buffer {
  const bytes = Buffer.alloc(lines.length * 9);
  let at = lines.length;
  let before = lines[0]?.atMs ?? 0;
  for (const [line, { atMs, stream, level }] of lines.entries()) {
    bytes[line] = LEVELS.indexOf(level) | (stream === "stderr" ? IS_STDERR : 0);
    let step = atMs - before;
    before = atMs;
    for (; step >= 128; step = Math.floor(step / 128)) bytes[at++] = (step % 128) | 128;
    bytes[at++] = step;
  }
  return bytes.subarray(0, at);
}

function decodeFacts(bytes: Buffer, { lines, firstMs }: ChunkHead): { flags: Uint8Array; times: Float64Array } {
  const times = new Float64Array(lines);
  let at = lines;
  let before = firstMs;
  for (let line = 0; line < lines; line += 1) {
    let weight = 1;
    let byte = bytes[at++] ?? 0;
    for (; byte >= 128; byte = bytes[at++] ?? 0) {
      before += (byte & 127) * weight;
      weight *= 128;
    }
    before += byte * weight;
    times[line] = before;
  }
  return { flags: bytes.subarray(0, lines), times };
}

function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}

const decompressElsewhere = promisify(zstdDecompress);

function decompress(bytes: Uint8Array, length: number): Buffer {
  return zstdDecompressSync(bytes, roomFor(length));
}

/** With room for all of it and a byte more it is written at once, not in pieces that are joined afterwards. */
function roomFor(length: number): ZstdOptions {
  const bound = Math.min(Math.max(length, 1), LARGEST_PART);
  return { maxOutputLength: bound, chunkSize: Math.max(bound + 1, constants.Z_MIN_CHUNK) };
}
