import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { PastChanges, Whose } from "../platform/look-back.ts";

/** The rows of one kind of change: their tables, their times, and their hosts. */
export interface ChangeRows<Schema, Tables extends keyof Schema, Row, Change extends { id: number; at: Date }> {
  /** Joined and filtered, without selected columns. */
  from(since: Date, whose: Whose): SelectQueryBuilder<Schema, Tables, object>;
  /** Column names in that query: the time, and the id that orders rows of the same time. */
  at: string;
  id: string;
  select(query: SelectQueryBuilder<Schema, Tables, object>): SelectQueryBuilder<Schema, Tables, Row>;
  read(row: Row): Change;
}

/** Reads the changes of one kind from their rows; an index by time limits what is read. */
export function pastChanges<Schema, Tables extends keyof Schema, Row, Change extends { id: number; at: Date }>(
  rows: ChangeRows<Schema, Tables, Row, Change>,
): PastChanges<Change> {
  const [at, id] = [sql.ref<number>(rows.at), sql.ref<number>(rows.id)];
  return {
    async page({ since, before, whose, limit }) {
      const beforeMs = before.at.getTime();
      const query = rows
        .from(since, whose)
        .where(sql<SqlBool>`${at} >= ${since.getTime()}`)
        .where(sql<SqlBool>`${at} <= ${beforeMs}`)
        .where(sql<SqlBool>`(${at} < ${beforeMs} OR ${id} < ${before.id})`)
        .orderBy(at, "desc")
        .orderBy(id, "desc")
        .limit(limit);
      return (await rows.select(query).execute()).map(rows.read);
    },
    async count({ since, until, whose, most }) {
      const query = rows
        .from(since, whose)
        .where(sql<SqlBool>`${at} >= ${since.getTime()}`)
        .where(sql<SqlBool>`${at} <= ${until?.getTime() ?? Number.MAX_SAFE_INTEGER}`)
        .select(sql.lit(1).as("one"))
        .limit(most);
      return (await query.execute()).length;
    },
    async nextAt({ after, whose }) {
      const query = rows
        .from(after, whose)
        .where(sql<SqlBool>`${at} > ${after.getTime()}`)
        .orderBy(at)
        .limit(1);
      return (await rows.select(query).execute()).map(rows.read)[0]?.at;
    },
  };
}

/** Whether a column with an agent's id, or null for the local host, is among the requested hosts. */
export function isOf(column: string, whose: Whose): RawBuilder<SqlBool> {
  if (whose === undefined) return sql<SqlBool>`1 = 1`;
  return whose === null ? sql<SqlBool>`${sql.ref(column)} IS NULL` : sql<SqlBool>`${sql.ref(column)} = ${whose}`;
}
