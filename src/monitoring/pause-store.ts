import { type QueryExecutorProvider, sql } from "kysely";
import { toDate } from "../contract/time.ts";
import type { Database } from "../storage/database.ts";

/** A table of pauses: of whom each is, `paused_at`, and `resumed_at`, which is null while it lasts. */
interface PauseTable {
  table: string;
  /** The column of the thing that was paused. */
  owner: string;
}

/** A pause begins, or ends. */
export interface PauseChange {
  isPaused: boolean;
  at: Date;
}

/** What is known of the pauses of one thing until a moment. */
export interface PausesUntil {
  /** Since when it was paused then; null: it was not. */
  pausedSince: Date | null;
  /** When a pause of it ended last until then; null: none did. */
  resumedAt: Date | null;
}

/** When the things of a feature were paused. */
export interface Pauses {
  /** Saves a change in the caller's unit. */
  save(unit: QueryExecutorProvider, id: number, change: PauseChange): Promise<void>;
  /** Looks up what is known of one, by its id. */
  until(at: Date): Promise<(id: number) => PausesUntil>;
  /** Deletes those that ended before a time, a bounded number a call; true while there may be more. */
  prune(before: Date): Promise<boolean>;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 1000;

export function createPauses(database: Database, { table, owner }: PauseTable): Pauses {
  const tables = database.tables<object>();
  const [from, of] = [sql.table(table), sql.ref(owner)];

  return {
    async save(unit, id, { isPaused, at }) {
      const atMs = at.getTime();
      const change = isPaused
        ? sql`INSERT INTO ${from} (${of}, paused_at) VALUES (${id}, ${atMs})`
        : sql`UPDATE ${from} SET resumed_at = ${atMs} WHERE ${of} = ${id} AND resumed_at IS NULL`;
      await change.execute(unit);
    },

    async until(at) {
      const atMs = at.getTime();
      const { rows } = await sql<{ owner_id: number; since_at: number | null; ended_at: number | null }>`
        SELECT ${of} AS owner_id,
          MAX(CASE WHEN resumed_at IS NULL OR resumed_at > ${atMs} THEN paused_at END) AS since_at,
          MAX(CASE WHEN resumed_at <= ${atMs} THEN resumed_at END) AS ended_at
        FROM ${from} WHERE paused_at <= ${atMs} GROUP BY ${of}`.execute(tables.read);
      const paused = new Map(rows.map((row) => [row.owner_id, row]));
      return (id) => {
        const { since_at: sinceAt = null, ended_at: endedAt = null } = paused.get(id) ?? {};
        return { pausedSince: toDate(sinceAt), resumedAt: toDate(endedAt) };
      };
    },

    prune(before) {
      return tables.write(async (tx) => {
        const { rows } = await sql<{ id: number }>`
          SELECT id FROM ${from} WHERE resumed_at < ${before.getTime()} ORDER BY resumed_at LIMIT ${PRUNE_BATCH}`.execute(tx);
        if (rows.length > 0) await sql`DELETE FROM ${from} WHERE id IN (${sql.join(rows.map(({ id }) => id))})`.execute(tx);
        return rows.length === PRUNE_BATCH;
      });
    },
  };
}
