import { type Compilable, type Kysely, sql } from "kysely";
import type { Mark, OutboxMessage } from "../platform/dispatcher.ts";
import { cleanName } from "../platform/text.ts";
import { keptRows, type KeptRows } from "./kept-rows.ts";
import { keptStatement } from "./kept-statement.ts";

/** What became of a row that waits to be sent; times in milliseconds. */
export interface OutboxMark {
  id: number;
  status: "pending" | "sent" | "failed";
  attempts: number;
  next_attempt_at: number | null;
  /** null when it was not tried: then the row keeps what it knows of its last attempt. */
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
}

/** In the order of MARK_TYPES. Sentences come from receivers' machines. */
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

const MARK_TYPES: readonly (readonly [keyof OutboxMark, "TEXT" | "BIGINT"])[] = [
  ["id", "BIGINT"],
  ["status", "TEXT"],
  ["attempts", "BIGINT"],
  ["next_attempt_at", "BIGINT"],
  ["last_attempt_at", "BIGINT"],
  ["last_status_code", "BIGINT"],
  ["last_error", "TEXT"],
];

/** The statements that all tables of rows that wait to be sent share; they have the columns of a mark, `sent_at`, and one that names the receiver. */
export interface OutboxQueries<Schema> {
  /** Receivers of which something waits, and when the first is due. */
  lanes(read: Kysely<Schema>): Promise<{ lane: number; dueAt: Date }[]>;
  /** Of rows that are due later than `now`: by `by` earlier, not before now; at once where that is later than `latest`. */
  bringForward(tx: Kysely<Schema>, terms: { by: number; now: number; latest: number }): Promise<unknown>;
  /** Marks rows, those that still wait; returns which. A row that is over keeps its body when `emptied` is undefined. */
  keep: KeptRows<Schema, OutboxMark, { id: number }>;
}

export function outboxQueries<Schema>({ table, lane, emptied }: { table: string; lane: string; emptied?: string }): OutboxQueries<Schema> {
  const nextLane = keptStatement((read: Kysely<Schema>, values: { after: number }) => {
    const statement = sql<{ lane: number; due: number }>`SELECT ${sql.ref(lane)} AS lane, next_attempt_at AS due FROM ${sql.table(table)}
      WHERE status = 'pending' AND ${sql.ref(lane)} > ${values.after} ORDER BY ${sql.ref(lane)}, next_attempt_at LIMIT 1`;
    return { compile: () => statement.compile(read) };
  });

  function updateFrom(tx: Kysely<Schema>, rows: readonly OutboxMark[]): Compilable<{ id: number }> {
    const given = (column: keyof OutboxMark) => {
      const index = MARK_TYPES.findIndex(([name]) => name === column);
      return sql`CAST(${sql.ref(`given.column${index + 1}`)} AS ${sql.raw(MARK_TYPES[index]?.[1] ?? "TEXT")})`;
    };
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
    /** Hops from receiver to receiver: there are few of them, and may be many rows. */
    async lanes(read) {
      const lanes: { lane: number; dueAt: Date }[] = [];
      for (let after = 0; ;) {
        const [next] = (await nextLane(read, { after })).rows;
        if (next === undefined) return lanes;
        lanes.push({ lane: next.lane, dueAt: new Date(next.due) });
        after = next.lane;
      }
    },
    bringForward(tx, { by, now, latest }) {
      const earlier = sql`next_attempt_at - ${by}`;
      return sql`UPDATE ${sql.table(table)}
        SET next_attempt_at = CASE WHEN ${earlier} > ${latest} OR ${earlier} < ${now} THEN ${now} ELSE ${earlier} END
        WHERE status = 'pending' AND next_attempt_at > ${now}`.execute(tx);
    },
    keep: keptRows(updateFrom),
  };
}
