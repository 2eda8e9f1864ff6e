import { type Generated, type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { keptStatement, inBatches, inTables, type Unit, keptRows } from "../statements.ts";
import { BUNDLE_SIZE, withoutPlaces } from "./bundle.ts";
import type { KeptRows, SealResult } from "./compute.ts";
import { type Level, LEVELS, startOf } from "./rollup.ts";

interface SeriesTables {
  series_journal: { id: Generated<number>; family: number; at: number; bytes: Uint8Array };
  series_chunks: ChunkRow;
  series_removals: { family: number; series: number };
}

interface ChunkRow {
  family: number;
  level: number;
  bundle: number;
  start_at: number;
  bytes: Uint8Array;
  /** The length of `bytes`: it is in the index, so that sums need not read the bytes. */
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
const PURGE_BATCH = 200;
/** How many rows one unit of freeing space deletes, and how many it packs again without some series, so that no other unit waits long. */
const FREED_ROWS = 40;
const REWRITTEN_ROWS = 8;

/** Deleted series of one bundle, by their places, and how far freeing their space has come. */
export interface Removal {
  level: Level;
  bundle: number;
  places: ReadonlySet<number>;
  afterMs: number;
}

export type SeriesTablesStore = ReturnType<typeof createSeriesTables>;

/** The SQL of one family of series. */
export function createSeriesTables(database: Database, family: number) {
  const tables = database.tables<SeriesTables>();
  const insertTicks = keptRows((tx: Kysely<SeriesTables>, rows: readonly { family: number; at: number; bytes: Uint8Array }[]) =>
    tx.insertInto("series_journal").values(rows).returning("id"),
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
    /** Appends to the journal; answers the ids of the rows after the commit. */
    async append(ticks: readonly { at: number; bytes: Uint8Array }[]): Promise<number[]> {
      const rows = ticks.map(({ at, bytes }) => ({ family, at, bytes }));
      const inserted = await tables.write((tx) => insertTicks(tx, rows));
      // Ids rise in the order of the rows, but may be returned in any order.
      return inserted.map(({ id }) => id).toSorted((a, b) => a - b);
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

    /** Removes journal rows that were sealed or cannot be read, a batch in each call. */
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

    /** The rows of some bundles whose spans overlap a range of time. */
    async chunksOf(
      level: Level,
      bundles: readonly number[],
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<{ bundle: number; startMs: number; bytes: Uint8Array }[]> {
      const rows = await chunks(level)
        .select(["bundle", "start_at", "bytes"])
        .where("bundle", "in", bundles)
        .where("start_at", ">=", startOf(fromMs, level))
        .where("start_at", "<", toMs)
        .execute();
      return rows.map(({ bundle, start_at: startMs, bytes }) => ({ bundle, startMs, bytes }));
    },

    /**
     * Drops the oldest rows of a level that begin before a moment, at most a batch and no more than needed to free these bytes; answers how many
     * bytes they had, 0 when there was none.
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

    async oldestMs(level: Level): Promise<number | null> {
      const row = await chunks(level).select("start_at").orderBy("start_at").limit(1).executeTakeFirst();
      return row?.start_at ?? null;
    },

    /** Deletes series, and these journal rows, inside a unit: the series are recorded, and their space is freed later. */
    async purge(unit: Unit, ids: ReadonlySet<number>, journalIds: readonly number[]): Promise<void> {
      const tx = inTables<SeriesTables>(unit);
      for (const some of inBatches(journalIds, PURGE_BATCH)) await tx.deleteFrom("series_journal").where("id", "in", some).execute();
      for (const some of inBatches([...ids], PURGE_BATCH))
        await tx
          .insertInto("series_removals")
          .values(some.map((series) => ({ family, series })))
          .execute();
    },

    /** Deleted series whose space is not freed yet. */
    async removed(): Promise<number[]> {
      const rows = await tables.read.selectFrom("series_removals").select("series").where("family", "=", family).execute();
      return rows.map(({ series }) => series);
    },

    /** Forgets deleted series of which nothing is left. */
    async endRemoval(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("series_removals").where("family", "=", family).where("series", "in", ids).execute());
    },

    /**
     * Removes series from the next rows of their bundle, a batch; answers the last row, undefined when there was none. Neighbours in a row stay; a
     * row that cannot be read is deleted.
     */
    async free({ level, bundle, places, afterMs }: Removal): Promise<number | undefined> {
      const isWhole = places.size === BUNDLE_SIZE;
      return tables.write(async (tx) => {
        const next = tx
          .selectFrom("series_chunks")
          .where("family", "=", family)
          .where("level", "=", level.number)
          .where("bundle", "=", bundle)
          .where("start_at", ">", afterMs)
          .orderBy("start_at");
        const rows: { start_at: number; bytes?: Uint8Array }[] = isWhole
          ? await next.select("start_at").limit(FREED_ROWS).execute()
          : await next.select(["start_at", "bytes"]).limit(REWRITTEN_ROWS).execute();
        const empty: number[] = [];
        for (const { start_at, bytes } of rows) {
          const left = bytes && withoutPlaces(bytes, places);
          if (left === undefined) empty.push(start_at);
          else if (left !== bytes) await saveChunk(tx, { family, level: level.number, bundle, start_at, bytes: left, size: left.length });
        }
        if (empty.length > 0)
          await tx
            .deleteFrom("series_chunks")
            .where("family", "=", family)
            .where("level", "=", level.number)
            .where("bundle", "=", bundle)
            .where("start_at", "in", empty)
            .execute();
        return rows.at(-1)?.start_at;
      });
    },

    /** The bytes of a level in spans that begin at or after a moment, and its oldest span. */
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
  };
}
