import { type Kysely, sql } from "kysely";
import type { Database } from "../../../storage/database.ts";
import { isPastKeeping } from "../../../storage/retention.ts";
import { keptStatement, inTables, type Unit } from "../../../storage/statements.ts";
import { CorruptBytes, decodeColumns, encodeColumns, openBytes, sealBytes } from "../../../storage/series/index.ts";
import type { EndpointTables } from "../rows.ts";
import { packCheck, unpackCheck, type Check } from "./head.ts";

export { CorruptBytes } from "../../../storage/series/index.ts";

/** A check with whose it is. */
export interface EndpointCheckAt {
  endpointId: number;
  check: Check;
}

/** Which checks a chunk holds. Chunks of one endpoint may overlap, where some came late. */
export interface ChunkSpan {
  id: number;
  startMs: number;
  endMs: number;
  checks: number;
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 500;
const JOURNAL_PAGE = 200;

export type CheckStore = ReturnType<typeof createCheckStore>;

/** The SQL of checks: the journal that takes them as they come, and the chunks that keep them. */
export function createCheckStore(database: Database) {
  const tables = database.tables<EndpointTables>();
  const spansOf = keptStatement(
    (read: Kysely<EndpointTables>, { endpointId, toMs, fromMs }: { endpointId: number; toMs: number; fromMs: number }) =>
      read
        .selectFrom("endpoint_chunks")
        .select(["id", "start_at", "end_at", "checks"])
        .where("endpoint_id", "=", endpointId)
        .where("start_at", "<=", toMs)
        .where("end_at", ">=", fromMs)
        .orderBy("start_at")
        .orderBy("id"),
  );

  return {
    /** What is in the journal, oldest first, a page a call. */
    async journal(afterId: number): Promise<{ id: number; checks: () => EndpointCheckAt[] }[]> {
      const rows = await tables.read
        .selectFrom("endpoint_journal")
        .selectAll()
        .where("id", ">", afterId)
        .orderBy("id")
        .limit(JOURNAL_PAGE)
        .execute();
      return rows.map((row) => ({ id: row.id, checks: () => decode(row.bytes, row.at, row.errors) }));
    },

    /** Deletes what has been sealed, a bounded number of rows a call; true while there is more. */
    async dropJournal(upToId: number): Promise<boolean> {
      return tables.write(async (tx) => {
        const rows = await tx
          .selectFrom("endpoint_journal")
          .select("id")
          .where("id", "<=", upToId)
          .orderBy("id")
          .limit(PRUNE_BATCH)
          .execute();
        const last = rows.at(-1);
        if (last !== undefined) await tx.deleteFrom("endpoint_journal").where("id", "<=", last.id).execute();
        return rows.length === PRUNE_BATCH;
      });
    },

    /** The chunks of an endpoint that touch a range of time, both ends with it, oldest first. */
    async spans(endpointId: number, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<ChunkSpan[]> {
      const { rows } = await spansOf(tables.read, { endpointId, toMs, fromMs });
      return rows.map((row) => ({ id: row.id, startMs: row.start_at, endMs: row.end_at, checks: row.checks }));
    },

    /** From when to when the checks of chunks are, by chunk. */
    async spansByChunk(ids: readonly number[]): Promise<Map<number, { startMs: number; endMs: number }>> {
      if (ids.length === 0) return new Map();
      const rows = await tables.read.selectFrom("endpoint_chunks").select(["id", "start_at", "end_at"]).where("id", "in", ids).execute();
      return new Map(rows.map((row) => [row.id, { startMs: row.start_at, endMs: row.end_at }]));
    },

    /** What chunks hold; each is decoded when it is asked for, and throws CorruptBytes then. */
    async chunks(ids: readonly number[]): Promise<{ id: number; checks: () => Check[] }[]> {
      if (ids.length === 0) return [];
      const rows = await tables.read
        .selectFrom("endpoint_chunks")
        .select(["id", "start_at", "bytes", "errors"])
        .where("id", "in", ids)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        checks: () => decode(openBytes(row.bytes), row.start_at, row.errors).map(({ check }) => check),
      }));
    },

    /** The chunks of each endpoint that began last until a time, some of which may hold late checks, and when its first one began. */
    async lastUntil(atMs: number): Promise<Map<number, { chunks: number[]; firstMs: number | null }>> {
      const last = (place: number) => sql<number | null>`(SELECT last.id FROM endpoint_chunks AS last
        WHERE last.endpoint_id = endpoints.id AND last.start_at <= ${atMs} ORDER BY last.start_at DESC LIMIT 1 OFFSET ${sql.lit(place)})`;
      const rows = await tables.read
        .selectFrom("endpoints")
        .select("id")
        .select([last(0).as("last"), last(1).as("before"), last(2).as("first")])
        .select(
          sql<number | null>`(SELECT MIN(past.start_at) FROM endpoint_chunks AS past WHERE past.endpoint_id = endpoints.id)`.as("first_at"),
        )
        .execute();
      const chunksOf = (ids: readonly (number | null)[]): number[] => ids.filter((id) => id !== null);
      return new Map(rows.map((row) => [row.id, { chunks: chunksOf([row.last, row.before, row.first]), firstMs: row.first_at }]));
    },

    /** Deletes the oldest chunks that ended before a time, a bounded number a call; true while there may be more. */
    async prune(limits: { beforeMs: number; nowMs: number }): Promise<boolean> {
      return tables.write(async (tx) => {
        // Chunks are written in about the order of time, so the oldest are the first: no index on their end is needed.
        const first = await tx.selectFrom("endpoint_chunks").select(["id", "end_at"]).orderBy("id").limit(PRUNE_BATCH).execute();
        const old = first.filter(({ end_at: endAt }) => isPastKeeping(endAt, limits)).map(({ id }) => id);
        if (old.length > 0) await tx.deleteFrom("endpoint_chunks").where("id", "in", old).execute();
        return old.length === PRUNE_BATCH;
      });
    },

    /** Deletes the rows of the journal with checks of these endpoints alone, inside of a unit: each row holds checks of one host. */
    async purge(unit: Unit, endpointIds: ReadonlySet<number>): Promise<void> {
      if (endpointIds.size === 0) return;
      const tx = inTables<EndpointTables>(unit);
      for (let afterId = 0; ;) {
        const rows = await tx
          .selectFrom("endpoint_journal")
          .selectAll()
          .where("id", ">", afterId)
          .orderBy("id")
          .limit(JOURNAL_PAGE)
          .execute();
        const last = rows.at(-1);
        if (last === undefined) return;
        const ids = rows.filter((row) => holdsOnly(row, endpointIds)).map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom("endpoint_journal").where("id", "in", ids).execute();
        afterId = last.id;
      }
    },
  };
}

/** False for one that cannot be read: the next sealing drops it. */
function holdsOnly({ bytes, at, errors }: { bytes: Uint8Array; at: number; errors: string | null }, ids: ReadonlySet<number>): boolean {
  try {
    return decode(bytes, at, errors).every(({ endpointId }) => ids.has(endpointId));
  } catch (error) {
    if (error instanceof CorruptBytes) return false;
    throw error;
  }
}

/** The statements that add checks inside of a unit, kept for one database. */
export function createCheckWriting() {
  type Tx = Kysely<EndpointTables>;
  const addToJournal = keptStatement((tx: Tx, row: { at: number; bytes: Uint8Array; errors: string | null }) =>
    tx.insertInto("endpoint_journal").values(row).returning("id"),
  );
  const addChunk = keptStatement(
    (tx: Tx, row: { endpoint_id: number; start_at: number; end_at: number; checks: number; bytes: Uint8Array; errors: string | null }) =>
      tx.insertInto("endpoint_chunks").values(row),
  );

  return {
    /** Answers the row's id. */
    async append(tx: Tx, checks: readonly EndpointCheckAt[]): Promise<number> {
      const { startMs, bytes, errors } = encode(checks, { withIds: true });
      const [row] = (await addToJournal(tx, { at: startMs, bytes, errors })).rows;
      if (row === undefined) throw new Error("an inserted row of the journal has no id");
      return row.id;
    },
    /** Writes checks of one endpoint as a chunk; at least one. */
    async seal(tx: Tx, endpointId: number, checks: readonly Check[]): Promise<void> {
      const { startMs, endMs, bytes, errors } = encode(
        checks.map((check) => ({ endpointId, check })),
        { withIds: false },
      );
      const row = {
        endpoint_id: endpointId,
        start_at: startMs,
        end_at: endMs,
        checks: checks.length,
        bytes: sealBytes(bytes, { compress: true }),
        errors,
      };
      await addChunk(tx, row);
    },
  };
}

/** In order of time: gaps from check to check, then the other figures, a column each; texts aside, each once. See docs/decisions/009-checks.md. */
function encode(
  given: readonly EndpointCheckAt[],
  { withIds }: { withIds: boolean },
): { startMs: number; endMs: number; bytes: Uint8Array; errors: string | null } {
  const checks = given.toSorted((a, b) => a.check.atMs - b.check.atMs);
  const startMs = checks[0]?.check.atMs ?? 0;
  const packed = checks.map(({ check }) => packCheck(check));
  const errors = [...new Set(checks.flatMap(({ check }) => check.error ?? []))];
  const places = new Map(errors.map((error, place) => [error, place]));
  const column = (value: (index: number) => number): Float64Array => {
    const values = new Float64Array(checks.length);
    for (let index = 0; index < values.length; index += 1) values[index] = value(index);
    return values;
  };
  const columns = [
    column((index) => (checks[index]?.check.atMs ?? 0) - (checks[index - 1]?.check.atMs ?? startMs)),
    column((index) => packed[index]?.response ?? Number.NaN),
    column((index) => packed[index]?.httpStatus ?? Number.NaN),
    column((index) => packed[index]?.flags ?? 0),
    column((index) => packed[index]?.failureClass ?? Number.NaN),
    column((index) => places.get(checks[index]?.check.error ?? "") ?? Number.NaN),
    ...(withIds ? [column((index) => checks[index]?.endpointId ?? 0)] : []),
  ];
  return {
    startMs,
    endMs: checks.at(-1)?.check.atMs ?? startMs,
    bytes: encodeColumns(columns),
    errors: errors.length === 0 ? null : JSON.stringify(errors),
  };
}

/** Throws CorruptBytes. */
function decode(bytes: Uint8Array, startMs: number, errors: string | null): EndpointCheckAt[] {
  const [gaps, responses, statuses, flags, classes, places, ids] = decodeColumns(bytes);
  if (gaps === undefined || places === undefined) throw new CorruptBytes("columns are missing");
  // This column holds what encode wrote.
  const texts = errors === null ? [] : (JSON.parse(errors) as string[]);
  let atMs = startMs;
  return Array.from(gaps, (gap, index) => {
    atMs += gap;
    const packed = {
      response: responses?.[index] ?? Number.NaN,
      httpStatus: statuses?.[index] ?? Number.NaN,
      flags: flags?.[index] ?? 0,
      failureClass: classes?.[index] ?? Number.NaN,
    };
    return { endpointId: ids?.[index] ?? 0, check: unpackCheck(atMs, packed, texts[places[index] ?? Number.NaN] ?? null) };
  });
}
