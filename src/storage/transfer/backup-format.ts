import { z } from "zod";
import type { Row, Value } from "./table.ts";

/**
 * A backup is one file: lines of JSON, compressed with gzip. The first line is the header, the last the trailer; between them are batches of rows, table
 * after table. The SHA-256 in the trailer is that of all bytes before it.
 */
export const FORMAT = "binnacle-backup";
export const FORMAT_VERSION = 1;
/** One row of the largest kind takes a few megabytes. */
export const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

const count = z.number().int().min(0);

export const headerLine = z.object({
  format: z.literal(FORMAT),
  format_version: z.number().int(),
  program_version: z.string(),
  taken_at: z.iso.datetime(),
  engine: z.enum(["sqlite", "postgresql"]),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string().nullable() })),
  /** Small files of the data folder, by name, in Base64. */
  files: z.record(z.string(), z.string()),
});
export type HeaderLine = z.infer<typeof headerLine>;

export const batchLine = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
});

export const trailerLine = z.object({
  /** Rows by table. */
  counts: z.record(z.string(), count),
  /** The last generated id by table. */
  counters: z.record(z.string(), count),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TrailerLine = z.infer<typeof trailerLine>;

/** A row as JSON: bytes are `{"b": Base64}`, numbers that JSON does not have `{"n": text}`. */
export function encodeRow(row: Row): string {
  return JSON.stringify(row.map(encodeValue));
}

function encodeValue(value: Value): unknown {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : { n: String(value) };
  return { b: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
}

/** Throws when it is not the encoded form of a value. */
export function decodeValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "object" && "b" in value && typeof value.b === "string") return Buffer.from(value.b, "base64");
  if (typeof value === "object" && "n" in value && typeof value.n === "string") return Number(value.n);
  throw new Error("a value is none that a backup has");
}
