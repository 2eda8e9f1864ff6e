import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { messageOf, StartError } from "../../platform/errors.ts";
import { POSTGRESQL, SQLITE } from "../capabilities.ts";
import {
  batchLine,
  decodeValue,
  FORMAT_VERSION,
  type HeaderLine,
  headerLine,
  LONGEST_LINE_BYTES,
  type TrailerLine,
  trailerLine,
} from "./backup-file.ts";
import { knownMigrations, type Source } from "./target.ts";
import { type Batch, copiedTablesOf, type Row, type Table } from "./table.ts";

const NEWLINE = 0x0a;

export interface BackupSource extends Source {
  takenAt: Date;
  programVersion: string;
  /** Small files of the data folder, by name. */
  files: Readonly<Record<string, Buffer>>;
}

/**
 * Opens a backup file; its contents are verified while they are read to the end. Throws a StartError for a file that is no backup, is damaged, or was
 * made by a newer program.
 */
export async function openBackup(path: string): Promise<BackupSource> {
  const where = `the backup ${path}`;
  const hash = createHash("sha256");
  const lines = linesOf(path);
  const header = await parsed(path, async () => headerOf((await lines.next()).value, hash));
  if (header.format_version !== FORMAT_VERSION)
    throw new StartError(`The backup ${path} has the format ${header.format_version}, which this version of the program does not know.`);
  const migrations = knownMigrations(header.migrations, header.engine === "sqlite" ? SQLITE : POSTGRESQL, where);
  const tables = copiedTablesOf(migrations);
  let trailer: TrailerLine | undefined;
  return {
    where,
    engine: header.engine,
    applied: header.migrations,
    migrations,
    takenAt: new Date(header.taken_at),
    programVersion: header.program_version,
    files: Object.fromEntries(Object.entries(header.files).map(([name, text]) => [name, Buffer.from(text, "base64")])),
    async *read() {
      const counts: Record<string, number> = {};
      for (let place = 0; trailer === undefined;) {
        const next = await parsed(path, async () => batchOrTrailer((await lines.next()).value, hash, tables.slice(place)));
        if (!("rows" in next)) {
          trailer = await parsed(path, async () => verified(next, counts, hash));
          break;
        }
        place = tables.indexOf(next.table);
        counts[next.table.name] = (counts[next.table.name] ?? 0) + next.rows.length;
        yield next;
      }
      const beyond = await parsed(path, () => lines.next());
      if (beyond.done !== true) throw damaged(path, "there is something after its end");
    },
    async counters() {
      if (trailer === undefined) throw new Error("the backup was not read to its end");
      return trailer.counters;
    },
    async close() {
      await lines.return(undefined);
    },
  };
}

function headerOf(line: Buffer | undefined, hash: Hash): HeaderLine {
  if (line === undefined) throw new Error("it is empty");
  const header = headerLine.parse(JSON.parse(line.toString()));
  feed(hash, line);
  return header;
}

function batchOrTrailer(line: Buffer | undefined, hash: Hash, tables: readonly Table[]): Batch | TrailerLine {
  if (line === undefined) throw new Error("it ends too early");
  const value: unknown = JSON.parse(line.toString());
  if (typeof value === "object" && value !== null && "sha256" in value) return trailerLine.parse(value);
  feed(hash, line);
  const { table: name, columns, rows } = batchLine.parse(value);
  const table = tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`it has a table ${name} where none of that name belongs`);
  if (columns.join() !== table.columns.join()) throw new Error(`its table ${name} has other columns than its migrations make`);
  return {
    table,
    rows: rows.map((row): Row => {
      if (row.length !== columns.length) throw new Error(`a row of its table ${name} has ${row.length} values, not ${columns.length}`);
      return row.map(decodeValue);
    }),
  };
}

function verified(trailer: TrailerLine, counts: Readonly<Record<string, number>>, hash: Hash): TrailerLine {
  if (hash.digest("hex") !== trailer.sha256) throw new Error("its checksum is another");
  for (const name of new Set([...Object.keys(counts), ...Object.keys(trailer.counts)]))
    if (counts[name] !== trailer.counts[name])
      throw new Error(`its table ${name} has ${counts[name] ?? 0} rows in place of ${trailer.counts[name] ?? 0}`);
  return trailer;
}

function feed(hash: Hash, line: Buffer): void {
  hash.update(line).update("\n");
}

async function parsed<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "syscall" in error)
      throw new StartError(`The backup ${path} cannot be read: ${messageOf(error)}.`, { cause: error });
    throw damaged(
      path,
      error instanceof z.ZodError || error instanceof SyntaxError ? "a line is not as a backup has it" : messageOf(error),
    );
  }
}

function damaged(path: string, reason: string): StartError {
  return new StartError(`${path} is no backup of Binnacle, or is damaged or incomplete: ${reason}. Nothing was changed.`);
}

/** The lines of the uncompressed text, without line ends. */
async function* linesOf(path: string): AsyncGenerator<Buffer, undefined> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.on("error", (error) => text.destroy(error));
  file.pipe(text);
  let parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, end));
        yield Buffer.concat(parts);
        parts = [];
        bytes = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > LONGEST_LINE_BYTES) throw new Error("a line is too long");
    }
    if (bytes > 0) throw new Error("its last line is cut");
  } finally {
    file.destroy();
  }
  return undefined;
}
