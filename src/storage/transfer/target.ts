import type { Migration } from "../migrations/migration.ts";
import type { Counters, Row, Table } from "./table.ts";

/** How far an interrupted copy came with a table: the rows that are in it, and the SHA-256 of their encoded form. */
export interface Progress {
  rows: number;
  sha256: string;
}

export interface Begin {
  migrations: readonly Migration[];
  /** Goes on with an interrupted copy; what was interrupted is dropped otherwise. */
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
