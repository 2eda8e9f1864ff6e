import { StartError } from "../../platform/errors.ts";
import { type AppliedRow, waitingMigrations } from "../applied-migrations.ts";
import type { Capabilities } from "../capabilities.ts";
import { MIGRATIONS } from "../migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import type { Counters, Row, Table, Batch } from "./table.ts";

/** Where rows are copied from: a database as it was at one moment, or a backup of one. */
export interface Source {
  /** How a sentence names it. */
  where: string;
  engine: Capabilities["engine"];
  applied: readonly AppliedRow[];
  /** The program's form of the applied migrations, in their order. */
  migrations: readonly Migration[];
  /** All rows once, table after table in the order of references, in batches of bounded size. Throws a StartError for what cannot be read. */
  read(): AsyncGenerator<Batch>;
  /** Known once everything has been read. */
  counters(): Promise<Counters>;
  close(): Promise<void>;
}

const MAX_ROWS = 500;
const MAX_BYTES = 1024 * 1024;
/** What a value costs in addition to its text or bytes. */
const VALUE_BYTES = 16;

/** The program's form of these migrations. Throws a StartError when they are not known, or are others by the same names. */
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

/** How many rows to ask for next, when these came last. */
export function nextBatchRows(rows: readonly Row[]): number {
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  return Math.min(Math.max(Math.floor((MAX_BYTES * rows.length) / Math.max(bytes, 1)), 1), MAX_ROWS);
}

function bytesOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + VALUE_BYTES + (value === null || typeof value === "number" ? 0 : value.length), 0);
}

/** How far an interrupted copy came with a table: the rows that are in it, and the SHA-256 of their encoded form. */
export interface Progress {
  rows: number;
  sha256: string;
}

export interface Begin {
  migrations: readonly Migration[];
  /** Resumes an interrupted copy; what was interrupted is dropped otherwise. */
  resume: boolean;
}

/**
 * A database that is made beside the one in use and put in its place when it is whole. No program can use either meanwhile. Until `finish` has
 * succeeded the one in use stays as it is, and whoever ends before leaves it so.
 */
export interface Target {
  /** How a sentence names it. */
  where: string;
  /** Whether something of Binnacle is there already. */
  isTaken(): Promise<boolean>;
  /** Makes the tables; answers how far an interrupted copy came, by table. */
  begin(begin: Begin): Promise<ReadonlyMap<string, Progress>>;
  /** Adds rows, with how far the copy has come by them, at once. */
  insert(table: Table, rows: readonly Row[], progress: Progress | undefined): Promise<void>;
  /** Rows by table, as counted in the database. */
  counts(tables: readonly Table[]): Promise<Record<string, number>>;
  /** Changes rows by these statements, all or none. */
  amend(statements: readonly string[]): Promise<void>;
  /** Puts it in place; answers where the one before is kept until a program has started on the new one, or null when there was none. */
  finish(counters: Counters): Promise<string | null>;
  close(): Promise<void>;
}

/** The table in which a target notes how far a copy has come; it goes when the copy is whole. */
export const PROGRESS_TABLE = "copy_progress";

/** In the name of what a restore replaced, before the time. */
export const BEFORE_RESTORE = "before-restore";

/** Of a moment, as names of files and schemas have it: `20260301T120000Z`. */
export function stampOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

/** Written on every schema that is made here, so that none of somebody else is ever dropped. */
export const SCHEMA_COMMENT = "Binnacle: made by restore or copy-store";
