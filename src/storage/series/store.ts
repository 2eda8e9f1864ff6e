import { type Generated, type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { keptStatement } from "../kept-statement.ts";
import type { KeptRows, SealResult } from "./compute.ts";
import { type Level, LEVELS, startOf } from "./levels.ts";

interface SeriesTables {
  series_journal: { id: Generated<number>; family: number; at: number; bytes: Uint8Array };
  series_chunks: ChunkRow;
}

interface ChunkRow {
  family: number;
  level: number;
  bundle: number;
  start_at: number;
  bytes: Uint8Array;
  /** Of `bytes`: in the index, so that sums need not read them. */
  size: number;
}

export interface JournalRow {
  id: number;
  at: number;
  bytes: Uint8Array;
}

export interface LevelSums {
  bytes: number;
  oldestMs: number | null;
}

const DROP_BATCH = 200;

export type SeriesTablesStore = ReturnType<typeof createSeriesTables>;

/** The SQL of one family of series. */
export function createSeriesTables(database: Database, family: number) {
  const tables = database.tables<SeriesTables>();
  const insertTick = keptStatement((tx: Kysely<SeriesTables>, row: { family: number; at: number; bytes: Uint8Array }) =>
    tx.insertInto("series_journal").values(row).returning("id"),
  );
  const saveChunk = keptStatement((tx: Kysely<SeriesTables>, row: ChunkRow) =>
    tx
      .insertInto("series_chunks")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["family", "level", "bundle", "start_at"])
          .doUpdateSet((excluded) => ({ bytes: excluded.ref("excluded.bytes"), size: excluded.ref("excluded.size") })),
      ),
  );

  const chunks = (level: Level) => tables.read.selectFrom("series_chunks").where("family", "=", family).where("level", "=", level.number);

  return {
    /** Appends to the journal; answers the row's id after the commit. */
    async append(at: number, bytes: Uint8Array): Promise<number> {
      return tables.write(async (tx) => {
        const [row] = (await insertTick(tx, { family, at, bytes })).rows;
        if (row === undefined) throw new Error("an inserted tick has no id");
        return row.id;
      });
    },

    async journal(afterId: number, limit: number): Promise<JournalRow[]> {
      return tables.read
        .selectFrom("series_journal")
        .select(["id", "at", "bytes"])
        .where("family", "=", family)
        .where("id", ">", afterId)
        .orderBy("id")
        .limit(limit)
        .execute();
    },

    /** Removes rows of the journal that were sealed or cannot be read; a bounded number a call. */
    async removeFromJournal(ids: readonly number[]): Promise<void> {
      if (ids.length > 0) await tables.write((tx) => tx.deleteFrom("series_journal").where("id", "in", ids).execute());
    },

    async kept(bundle: number, hourMs: number): Promise<KeptRows> {
      const row = async (level: Level): Promise<Uint8Array | undefined> =>
        (await chunks(level).select("bytes").where("bundle", "=", bundle).where("start_at", "=", startOf(hourMs, level)).executeTakeFirst())
          ?.bytes;
      const [detail, minutes, hours] = await Promise.all(LEVELS.map(row));
      return { detail, minutes, hours };
    },

    /** Saves the sealed rows of some bundles together. */
    async saveSealed(hourMs: number, sealed: readonly { bundle: number; rows: SealResult }[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const { bundle, rows } of sealed) {
          for (const level of LEVELS) {
            const bytes = rows[level.kind];
            const row = { family, level: level.number, bundle, start_at: startOf(hourMs, level), bytes, size: bytes.length };
            await saveChunk(tx, row);
          }
        }
      });
    },

    /** The rows of a bundle whose spans touch a range of time. */
    async chunks(
      level: Level,
      bundle: number,
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<{ startMs: number; bytes: Uint8Array }[]> {
      const rows = await chunks(level)
        .select(["start_at", "bytes"])
        .where("bundle", "=", bundle)
        .where("start_at", ">=", startOf(fromMs, level))
        .where("start_at", "<", toMs)
        .execute();
      return rows.map(({ start_at: startMs, bytes }) => ({ startMs, bytes }));
    },

    /**
     * Drops the oldest rows of a level that begin before a moment, at most a batch of them and no more than are needed for so many bytes; answers
     * how many bytes they held, 0 when there was none.
     */
    async dropOldest(level: Level, beforeMs: number, neededBytes = Infinity): Promise<number> {
      const oldest = await chunks(level)
        .select(["bundle", "start_at", "size"])
        .where("start_at", "<", beforeMs)
        .orderBy("start_at")
        .limit(DROP_BATCH)
        .execute();
      let freed = 0;
      const rows = oldest.filter(({ size }) => {
        const wanted = freed < neededBytes;
        if (wanted) freed += size;
        return wanted;
      });
      if (rows.length === 0) return 0;
      await tables.write(async (tx) => {
        for (const [startAt, ofStart] of Map.groupBy(rows, ({ start_at }) => start_at)) {
          await tx
            .deleteFrom("series_chunks")
            .where("family", "=", family)
            .where("level", "=", level.number)
            .where("start_at", "=", startAt)
            .where(
              "bundle",
              "in",
              ofStart.map(({ bundle }) => bundle),
            )
            .execute();
        }
      });
      return freed;
    },

    /** Bytes of a level in spans that begin at a moment or later, and its oldest span. */
    async sums(level: Level, sinceMs = 0): Promise<LevelSums> {
      const { bytes, oldest } = await chunks(level)
        .select(({ fn }) => [fn.sum<number | null>("size").as("bytes"), fn.min("start_at").as("oldest")])
        .where("start_at", ">=", sinceMs)
        .executeTakeFirstOrThrow();
      return { bytes: Number(bytes ?? 0), oldestMs: oldest === null ? null : Number(oldest) };
    },

    async journalSums(): Promise<LevelSums> {
      const { bytes, oldest } = await tables.read
        .selectFrom("series_journal")
        .select(({ fn }) => [sql<number | null>`SUM(LENGTH(bytes))`.as("bytes"), fn.min("at").as("oldest")])
        .where("family", "=", family)
        .executeTakeFirstOrThrow();
      return { bytes: Number(bytes ?? 0), oldestMs: oldest === null ? null : Number(oldest) };
    },

    /** What the database takes besides the values of series. */
    async otherBytes(): Promise<number> {
      const { rows } = await sql<{ bytes: number | string }>`${sql.raw(database.capabilities.otherBytes)}`.execute(tables.read);
      return Math.max(0, Number(rows[0]?.bytes ?? 0));
    },
  };
}
