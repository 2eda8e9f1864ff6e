import { type RawBuilder, sql } from "kysely";
import { messageOf } from "../../platform/errors.ts";
import type { Database } from "../database.ts";
import { isPastKeeping, WRONG_CLOCK_MS } from "../retention.ts";
import type { DroppablePart } from "./kinds.ts";

/** The size of a table. */
export interface TableUse {
  rows: number;
  /** The bytes that its rows and indexes use. */
  bytes: number;
  /** Including free space that the table keeps. */
  diskBytes: number;
}

/** How many rows from each end of a table are read to estimate the size of a row. */
const SAMPLE = 100;

export type BudgetStore = ReturnType<typeof createBudgetStore>;

/** The SQL that measures tables and drops their oldest rows. */
export function createBudgetStore(database: Database) {
  const { capabilities } = database;
  const { measuring } = capabilities;
  const tables = database.tables<object>();

  async function numberOf(query: RawBuilder<{ value: number | string | null }>): Promise<number> {
    const { rows } = await query.execute(tables.read);
    return Number(rows[0]?.value ?? 0);
  }

  /** The mean size of the values of the first and last rows of a table. */
  async function rowBytes(table: string): Promise<number> {
    const { rows: columns } = await sql<{ name: string }>`${sql.raw(measuring.columnsOf(table))}`.execute(tables.read);
    const size = sql.raw(columns.map(({ name }) => measuring.valueBytes(`"${name}"`)).join(" + "));
    const first = sql.ref(columns[0]?.name ?? "id");
    const end = (direction: "ASC" | "DESC") => sql`SELECT * FROM (SELECT ${size} AS size FROM ${sql.table(table)}
      ORDER BY ${first} ${sql.raw(direction)} LIMIT ${sql.lit(SAMPLE)}) AS ${sql.ref(direction.toLowerCase() + "_end")}`;
    return numberOf(sql`SELECT AVG(size) AS value FROM (${end("ASC")} UNION ALL ${end("DESC")}) AS ends`);
  }

  return {
    /** The sizes of tables: from their pages if that is fast, else from the number of rows and the size of some. */
    async measure(names: readonly string[], { exactly }: { exactly: boolean }): Promise<Map<string, TableUse>> {
      const found = new Map<string, TableUse>();
      for (const table of names) {
        const rows = await numberOf(sql`SELECT COUNT(*) AS value FROM ${sql.table(table)}`);
        if (exactly) {
          const bytes = await numberOf(sql`${sql.raw(measuring.pageBytes(table))}`);
          found.set(table, { rows, bytes, diskBytes: bytes });
        } else {
          const diskBytes = measuring.keepsFreedSpace ? await numberOf(sql`${sql.raw(measuring.pageBytes(table))}`) : Infinity;
          const estimate = rows === 0 ? 0 : rows * ((await rowBytes(table)) + measuring.rowOverhead) * measuring.indexFactor;
          const bytes = Math.min(estimate, diskBytes);
          found.set(table, { rows, bytes, diskBytes: diskBytes === Infinity ? bytes : diskBytes });
        }
      }
      return found;
    },

    /** Whether the pages of tables can be counted, for which SQLite may lack support. */
    async countsPages(): Promise<boolean> {
      if (measuring.keepsFreedSpace) return false;
      try {
        await sql`SELECT 1 FROM dbstat WHERE name = 'sqlite_schema' LIMIT 1`.execute(tables.read);
        return true;
      } catch (error) {
        if (/dbstat/.test(messageOf(error))) return false;
        throw error;
      }
    },

    /** The size of the database without the values of time series. */
    async otherBytes(): Promise<number> {
      return Math.max(0, await numberOf(sql`SELECT bytes AS value FROM (${sql.raw(capabilities.otherBytes)}) AS other`));
    },

    /** The time of the oldest row that may be dropped and whose clock was right, 0 for rows without an age; null when there is none. */
    async oldest({ table, at, order, where = "1 = 1" }: DroppablePart, nowMs: number): Promise<number | null> {
      const { rows } = await sql<{ at: number }>`SELECT ${timeOf(at)} AS at FROM ${sql.table(table)}
        WHERE ${timeOf(at)} <= ${nowMs + WRONG_CLOCK_MS} AND ${sql.raw(where)} ORDER BY ${sql.ref(order)} LIMIT 1`.execute(tables.read);
      return rows[0] === undefined ? null : Number(rows[0].at);
    },

    /** Drops the oldest rows before a time, at most this many, in one unit; answers how many, and the bytes of emptied columns. */
    async dropOldest(
      part: DroppablePart,
      { beforeMs, nowMs, most }: { beforeMs: number; nowMs: number; most: number },
    ): Promise<{ rows: number; clearedBytes: number }> {
      const { table, key, at, order, where = "1 = 1", clears } = part;
      const size = clears === undefined ? sql`0` : sql.raw(measuring.valueBytes(clears));
      const oldest = await sql<{ key: string | number; at: number; size: number }>`
        SELECT ${sql.ref(key)} AS key, ${timeOf(at)} AS at, ${size} AS size FROM ${sql.table(table)}
        WHERE ${sql.raw(where)} ORDER BY ${sql.ref(order)} LIMIT ${sql.lit(most)}`.execute(tables.read);
      const rows = oldest.rows.filter((row) => isPastKeeping(Number(row.at), { beforeMs, nowMs }));
      if (rows.length === 0) return { rows: 0, clearedBytes: 0 };
      const keys = sql.join(rows.map((row) => row.key));
      // The condition is checked again, since a row may have changed after it was read.
      const these = sql`WHERE ${sql.ref(key)} IN (${keys}) AND (${timeOf(at)} < ${beforeMs} OR ${timeOf(at)} > ${nowMs + WRONG_CLOCK_MS}) AND ${sql.raw(where)}`;
      await tables.write((tx) =>
        (clears === undefined
          ? sql`DELETE FROM ${sql.table(table)} ${these}`
          : sql`UPDATE ${sql.table(table)} SET ${sql.ref(clears)} = NULL ${these}`
        ).execute(tx),
      );
      return { rows: rows.length, clearedBytes: rows.reduce((sum, row) => sum + Number(row.size), 0) };
    },
  };
}

function timeOf(at: DroppablePart["at"]) {
  return at === undefined ? sql`CAST(0 AS BIGINT)` : sql.ref(at);
}
