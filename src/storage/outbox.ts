import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import type { Mark, Outbox, OutboxMessage } from "../platform/dispatcher.ts";
import type { LeaseRows } from "../platform/leases.ts";
import { cleanName } from "../platform/text.ts";
import type { Database } from "./database.ts";
import { type ColumnType, columnOf, keptRows, keptStatement } from "./statements.ts";

/** The outcome of a message, with times in milliseconds. */
export interface OutboxMark {
  id: number;
  status: "pending" | "sent" | "failed";
  attempts: number;
  next_attempt_at: number | null;
  /** null when it was not tried: then the row keeps the state of its last attempt. */
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
}

/** Sentences may contain text from receivers. */
export function markToRow({ item, status, attempts, nextAttemptAt, attemptedAt, statusCode, error }: Mark<OutboxMessage>): OutboxMark {
  return {
    id: item.id,
    status,
    attempts,
    next_attempt_at: nextAttemptAt?.getTime() ?? null,
    last_attempt_at: attemptedAt?.getTime() ?? null,
    last_status_code: statusCode,
    last_error: error === null ? null : cleanName(error, LONGEST_ERROR),
  };
}

const LONGEST_ERROR = 500;

const MARK_TYPES: Readonly<Record<keyof OutboxMark, ColumnType>> = {
  id: "BIGINT",
  status: "TEXT",
  attempts: "BIGINT",
  next_attempt_at: "BIGINT",
  last_attempt_at: "BIGINT",
  last_status_code: "BIGINT",
  last_error: "TEXT",
};

/** A table of messages. It has the columns of a mark, `sent_at`, `created_at`, and one with the receiver. */
export interface OutboxTable<Item extends OutboxMessage, Row> {
  table: string;
  /** The column with the receiver. */
  lane: string;
  /** SELECT and FROM of a waiting message, in which its table is called `waiting`. */
  select: RawBuilder<Row>;
  fromRow(row: Row): Item;
  /** The condition for another row, called `earlier`, for which a message waits while that is pending; none by default. */
  after?: RawBuilder<boolean>;
  /** The column that is emptied when a message was sent or given up. */
  emptied?: string;
}

/** An outbox whose marks can also be saved in a unit of its feature. */
export interface StoredOutbox<Item extends OutboxMessage> extends Outbox<Item> {
  /** Like `keep`, in the caller's unit. */
  keepIn<Schema>(tx: Kysely<Schema>, marks: readonly Mark<Item>[]): Promise<ReadonlySet<number>>;
}

/** The tables that all outboxes share; each outbox has the name of its table there. */
interface SharedTables {
  outbox_lanes: { outbox: string; lane: number; owner: string; leased_until: number };
}

type Tx = Kysely<SharedTables>;

/** The outbox of one table. */
export function createOutbox<Item extends OutboxMessage, Row>(database: Database, options: OutboxTable<Item, Row>): StoredOutbox<Item> {
  const { table, fromRow } = options;
  const tables = database.tables<SharedTables>();
  const statements = createStatements(options);

  async function keepIn<Schema>(unit: Kysely<Schema>, marks: readonly Mark<Item>[]): Promise<ReadonlySet<number>> {
    // All features have their tables in one database.
    const kept = await statements.keep(unit as unknown as Tx, marks.map(markToRow));
    return new Set(kept.map(({ id }) => id));
  }

  const leases: LeaseRows = {
    async lease(lane, { owner, now, until }) {
      const [nowMs, untilMs] = [now.getTime(), until.getTime()];
      // A lease beyond this moment was given by a clock that was ahead.
      const values = { outbox: table, lane, owner, leased_until: untilMs, now: nowMs, latest: untilMs + (untilMs - nowMs) };
      const { rows } = await tables.write((tx) => statements.lease(tx, values));
      return rows.length > 0;
    },
    async release(owner) {
      await tables.write((tx) => tx.deleteFrom("outbox_lanes").where("outbox", "=", table).where("owner", "=", owner).execute());
    },
  };

  return {
    // One file has one program.
    leases: database.capabilities.migrationLock === null ? null : leases,
    /** Jumps from receiver to receiver in the index: receivers are few, rows may be many. */
    async lanes() {
      const lanes: { lane: number; dueAt: Date }[] = [];
      for (let after = 0; ;) {
        const [next] = (await statements.nextLane(tables.read, { after })).rows;
        if (next === undefined) return lanes;
        lanes.push({ lane: next.lane, dueAt: new Date(next.due) });
        after = next.lane;
      }
    },
    async due(lane, now, limit) {
      const { rows } = await statements.due(tables.read, { lane, now: now.getTime(), limit });
      return rows.map(fromRow);
    },
    async waiting(lane, since, limit) {
      const { rows } = await statements.waiting(tables.read, { lane, since: since.getTime(), limit });
      return rows.map(fromRow);
    },
    async bringForward({ byMs, now, latest }) {
      const earlier = sql`next_attempt_at - ${byMs}`;
      await tables.write((tx) =>
        sql`UPDATE ${sql.table(table)}
          SET next_attempt_at = CASE WHEN ${earlier} > ${latest.getTime()} OR ${earlier} < ${now.getTime()} THEN ${now.getTime()} ELSE ${earlier} END
          WHERE status = 'pending' AND next_attempt_at > ${now.getTime()}`.execute(tx),
      );
    },
    keepIn,
    keep: (marks) => tables.write((tx) => keepIn(tx, marks)),
  };
}

/** The statements of hot paths, prepared once for a table and a database. */
function createStatements<Item extends OutboxMessage, Row>({ table, lane, select, after, emptied }: OutboxTable<Item, Row>) {
  const laneColumn = sql.ref(lane);
  const ofLane = (value: number) => sql`${select} WHERE waiting.${laneColumn} = ${value} AND waiting.status = 'pending'`;
  const isFirst =
    after === undefined
      ? sql``
      : sql`AND NOT EXISTS (SELECT 1 FROM ${sql.table(table)} AS earlier
          WHERE ${after} AND earlier.${laneColumn} = waiting.${laneColumn} AND earlier.status = 'pending' AND earlier.id < waiting.id)`;

  function updateFrom(tx: Tx, rows: readonly OutboxMark[]): Compilable<{ id: number }> {
    const given = (column: keyof OutboxMark) => sql`CAST(${columnOf(rows, column)} AS ${sql.raw(MARK_TYPES[column])})`;
    const old = (column: string) => sql.ref(`${table}.${column}`);
    const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
    const emptying =
      emptied === undefined
        ? sql``
        : sql`, ${sql.ref(emptied)} = CASE WHEN ${given("status")} = 'pending' THEN ${old(emptied)} ELSE '' END`;
    const statement = sql<{ id: number }>`UPDATE ${sql.table(table)} SET
      status = ${given("status")}, attempts = ${given("attempts")}, next_attempt_at = ${given("next_attempt_at")}, last_error = ${given("last_error")},
      last_status_code = CASE WHEN ${given("last_attempt_at")} IS NULL THEN ${old("last_status_code")} ELSE ${given("last_status_code")} END,
      last_attempt_at = COALESCE(${given("last_attempt_at")}, ${old("last_attempt_at")}),
      sent_at = CASE WHEN ${given("status")} = 'sent' THEN ${given("last_attempt_at")} END ${emptying}
      FROM (VALUES ${sql.join(values)}) AS given WHERE ${old("id")} = ${given("id")} AND ${old("status")} = 'pending' RETURNING ${old("id")}`;
    return { compile: () => statement.compile(tx) };
  }

  return {
    keep: keptRows(updateFrom),
    nextLane: keptStatement((read: Tx, values: { after: number }) => {
      const statement = sql<{ lane: number; due: number }>`SELECT ${laneColumn} AS lane, next_attempt_at AS due FROM ${sql.table(table)}
        WHERE status = 'pending' AND ${laneColumn} > ${values.after} ORDER BY ${laneColumn}, next_attempt_at LIMIT 1`;
      return { compile: () => statement.compile(read) };
    }),
    due: keptStatement((read: Tx, values: { lane: number; now: number; limit: number }) => {
      const statement = sql<Row>`${ofLane(values.lane)} AND waiting.next_attempt_at <= ${values.now} ${isFirst}
        ORDER BY waiting.next_attempt_at, waiting.id LIMIT ${values.limit}`;
      return { compile: () => statement.compile(read) };
    }),
    waiting: keptStatement((read: Tx, values: { lane: number; since: number; limit: number }) => {
      const statement = sql<Row>`${ofLane(values.lane)} AND waiting.created_at <= ${values.since} ORDER BY waiting.id LIMIT ${values.limit}`;
      return { compile: () => statement.compile(read) };
    }),
    lease: keptStatement((tx: Tx, values: SharedTables["outbox_lanes"] & { now: number; latest: number }) => {
      const { outbox, lane: leased, owner, leased_until, now, latest } = values;
      return tx
        .insertInto("outbox_lanes")
        .values({ outbox, lane: leased, owner, leased_until })
        .onConflict((conflict) =>
          conflict
            .columns(["outbox", "lane"])
            .doUpdateSet((set) => ({ owner: set.ref("excluded.owner"), leased_until: set.ref("excluded.leased_until") }))
            .where((where) =>
              where.or([
                where("outbox_lanes.owner", "=", where.ref("excluded.owner")),
                where("outbox_lanes.leased_until", "<", now),
                where("outbox_lanes.leased_until", ">", latest),
              ]),
            ),
        )
        .returning("lane");
    }),
  };
}
