import { createHash } from "node:crypto";
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { z } from "zod";
import { messageOf, StartError } from "../../platform/errors.ts";
import { syncPath, makeFolder } from "../../platform/files.ts";
import type { Source } from "./target.ts";
import type { Row, Value } from "./table.ts";

/**
 * A backup is one file: lines of JSON, compressed with gzip. The first line is the header, the last the trailer; between them are batches of rows,
 * table after table. The trailer has the SHA-256 of all bytes before it.
 */
const FORMAT = "binnacle-backup";
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
  /** The last generated id of each table. */
  counters: z.record(z.string(), count),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TrailerLine = z.infer<typeof trailerLine>;

/** A row as JSON: bytes are `{"b": Base64}`, numbers that JSON cannot represent `{"n": text}`. */
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

export interface BackupFacts {
  programVersion: string;
  takenAt: Date;
  /** Small files of the data folder, by name. */
  files: Readonly<Record<string, Buffer>>;
}

export interface Written {
  tables: number;
  rows: number;
  bytes: number;
  /** The SHA-256 of the contents, from the last line of the file. */
  sha256: string;
}

/** Writes a source into a new file, completely or not at all, readable by this user only. Throws a StartError. */
export async function writeBackup(source: Source, path: string, facts: BackupFacts): Promise<Written> {
  if (existsSync(path)) throw new StartError(`${path} is there already. Name a file that is not.`);
  const passing = `${path}.partial`;
  const report: Pick<Written, "tables" | "rows" | "sha256"> = { tables: 0, rows: 0, sha256: "" };
  try {
    makeFolder(dirname(path));
    rmSync(passing, { force: true });
    await pipeline(
      Readable.from(linesOf(source, facts, report)),
      // Speed matters more than the last percent, since most bytes are compressed already.
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(passing, { flags: "wx", mode: 0o600 }),
    );
    syncPath(passing);
    renameSync(passing, path);
    syncPath(dirname(path));
  } catch (error) {
    rmSync(passing, { force: true });
    if (error instanceof StartError) throw error;
    throw new StartError(`The backup ${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
  return { ...report, bytes: statSync(path).size };
}

async function* linesOf(source: Source, facts: BackupFacts, report: Pick<Written, "tables" | "rows" | "sha256">): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  const hashed = (line: string): string => {
    hash.update(line);
    return line;
  };
  const header: HeaderLine = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    program_version: facts.programVersion,
    taken_at: facts.takenAt.toISOString(),
    engine: source.engine,
    migrations: [...source.applied],
    files: Object.fromEntries(Object.entries(facts.files).map(([name, bytes]) => [name, bytes.toString("base64")])),
  };
  yield hashed(`${JSON.stringify(header)}\n`);
  for await (const { table, rows } of source.read()) {
    counts[table.name] = (counts[table.name] ?? 0) + rows.length;
    yield hashed(
      `{"table":${JSON.stringify(table.name)},"columns":${JSON.stringify(table.columns)},"rows":[${rows.map(encodeRow).join(",")}]}\n`,
    );
  }
  const sha256 = hash.digest("hex");
  const trailer: TrailerLine = { counts, counters: { ...(await source.counters()) }, sha256 };
  report.tables = Object.keys(counts).length;
  report.rows = Object.values(counts).reduce((sum, each) => sum + each, 0);
  report.sha256 = sha256;
  yield `${JSON.stringify(trailer)}\n`;
}
