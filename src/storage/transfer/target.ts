import { isDeepStrictEqual } from "node:util";
import { messageOf, StartError } from "../../platform/errors.ts";
import { type AppliedRow, waitingMigrations } from "../applied-migrations.ts";
import type { Capabilities } from "../capabilities.ts";
import { MIGRATIONS } from "../migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import type { Counters, Row, Table, Batch } from "./table.ts";

/** What rows are copied from: a database at one moment, or a backup of one. */
export interface Source {
  /** Its name in a sentence. */
  where: string;
  engine: Capabilities["engine"];
  applied: readonly AppliedRow[];
  /** The applied migrations, in the form in which this program has them, in order. */
  migrations: readonly Migration[];
  /** All rows once, table after table in the order of references, in batches of bounded size. Throws a StartError when something cannot be read. */
  read(): AsyncGenerator<Batch>;
  /** Known when everything has been read. */
  counters(): Promise<Counters>;
  close(): Promise<void>;
}

/** All rows, table after table. Throws a StartError that names the table that cannot be read. */
export async function* readTables(
  tables: readonly Table[],
  where: string,
  batchesOf: (table: Table) => Iterable<Batch> | AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  for (const table of tables) {
    try {
      yield* batchesOf(table);
    } catch (error) {
      throw new StartError(`The table ${table.name} of ${where} cannot be read: ${messageOf(error)}.`, { cause: error });
    }
  }
}

const MAX_ROWS = 500;
const MAX_BYTES = 1024 * 1024;
/** What a value takes in addition to its text or bytes. */
const VALUE_BYTES = 16;

/** These migrations, in the form in which this program has them. Throws a StartError when it does not know them, or has others by the same names. */
export function knownMigrations(applied: readonly AppliedRow[], capabilities: Capabilities, where: string): Migration[] {
  if (applied.length === 0) throw new StartError(`There is nothing of Binnacle in ${where}.`);
  waitingMigrations(applied, { migrations: MIGRATIONS, capabilities, where });
  return MIGRATIONS.filter(({ name }) => applied.some((row) => row.name === name));
}

/** Groups rows as they come, so that memory is bounded. */
export function* inBatches(table: Table, rows: Iterable<Row>): Generator<Batch> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += bytesOf(row);
    if (batch.length < MAX_ROWS && bytes < MAX_BYTES) continue;
    yield { table, rows: batch };
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield { table, rows: batch };
}

/** How many rows to request next, after these. */
export function nextBatchRows(rows: readonly Row[]): number {
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  return Math.min(Math.max(Math.floor((MAX_BYTES * rows.length) / Math.max(bytes, 1)), 1), MAX_ROWS);
}

function bytesOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + VALUE_BYTES + (value === null || typeof value === "number" ? 0 : value.length), 0);
}

/** The progress of an interrupted copy in a table: how many rows it has, and the SHA-256 of their encoded form. */
export interface Progress {
  rows: number;
  sha256: string;
}

export interface Begin {
  migrations: readonly Migration[];
  /** Whether to resume an interrupted copy; otherwise that is dropped. */
  resume: boolean;
}

/**
 * A database that is made next to the present one and replaces it when it is complete. No program can use either of them meanwhile. The present one
 * stays unchanged until `finish` has succeeded, also when the copy is interrupted.
 */
export interface Target {
  /** Its name in a sentence. */
  where: string;
  /** Whether it already has data of Binnacle. */
  isTaken(): Promise<boolean>;
  /** Makes the tables; answers the progress of an interrupted copy, by table. */
  begin(begin: Begin): Promise<ReadonlyMap<string, Progress>>;
  /** Adds rows, together with the progress after them. */
  insert(table: Table, rows: readonly Row[], progress: Progress | undefined): Promise<void>;
  /** The number of rows by table, counted in the database. */
  counts(tables: readonly Table[]): Promise<Record<string, number>>;
  /** Runs these statements, all or none. */
  amend(statements: readonly string[]): Promise<void>;
  /** Puts it in place; answers where the earlier database is kept until a program has started on the new one, or null when there was none. */
  finish(counters: Counters): Promise<string | null>;
  close(): Promise<void>;
}

/** The table in which a target records the progress of a copy; it is dropped when the copy is complete. */
export const PROGRESS = {
  table: "copy_progress",
  make: "CREATE TABLE copy_progress (name TEXT PRIMARY KEY, rows BIGINT NOT NULL, sha256 TEXT NOT NULL)",
  read: "SELECT name, rows, sha256 FROM copy_progress",
};

export function progressFrom(rows: readonly Readonly<Record<string, unknown>>[]): Map<string, Progress> {
  return new Map(rows.map((row) => [String(row["name"]), { rows: Number(row["rows"]), sha256: String(row["sha256"]) }]));
}

/** Whether the names are those of the migrations. */
export function areNamesOf(migrations: readonly Migration[], names: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(names), new Set(migrations.map(({ name }) => name)));
}

/** A part of the names of what a restore replaced, before the time. */
export const BEFORE_RESTORE = "before-restore";

/** A moment in the form for names of files and schemas: `20260301T120000Z`. */
export function stampOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

/** Set on every schema that is made here, so that no other schema is ever dropped. */
export const SCHEMA_COMMENT = "Binnacle: made by restore or copy-store";
