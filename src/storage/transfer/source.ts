import { StartError } from "../../platform/errors.ts";
import { type AppliedRow, waitingMigrations } from "../applied-migrations.ts";
import type { Capabilities } from "../capabilities.ts";
import { MIGRATIONS } from "../migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import type { Batch, Counters, Row, Table } from "./table.ts";

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
/** What a value costs besides its text or bytes. */
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
