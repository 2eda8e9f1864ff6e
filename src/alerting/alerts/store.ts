import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement, inBatches, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import type { KeptAlert } from "./alert.ts";
import type { ListQuery } from "./api.ts";
import {
  alertFromRow,
  keyColumns,
  type SavedEvaluation,
  stateColumns,
  evaluationFromRow,
  evaluationToRow,
  type AlertTables,
  type KeyColumns,
  type StateColumns,
  type EvaluationRow,
} from "./rows.ts";
import type { Group } from "./register.ts";

const LOADED_AT_ONCE = 500;
const DELETED_AT_ONCE = 500;
/** Of one alert, in addition to the first evaluation. */
const LATEST_EVALUATIONS_KEPT = 20;

export type Tx = Kysely<AlertTables>;

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore(database: Database) {
  const tables = database.tables<AlertTables>();

  const insertAlerts = keptRows<AlertTables, KeyColumns & StateColumns & { fired_at: number }, KeyColumns & { id: number }>((tx, rows) =>
    tx
      .insertInto("alerts")
      .values([...rows])
      .onConflict((conflict) =>
        conflict.columns(["source", "event", "entity_type", "entity_id"]).where("status", "=", sql.lit("active")).doNothing(),
      )
      .returning(["id", "source", "event", "entity_type", "entity_id"]),
  );
  const updateAlert = keptStatement<AlertTables, StateColumns & { id: number }, unknown>((tx, { id, ...state }) =>
    tx.updateTable("alerts").set(state).where("id", "=", id),
  );
  const insertEvaluations = keptRows<AlertTables, EvaluationRow, unknown>((tx, rows) => tx.insertInto("alert_verdicts").values([...rows]));
  const deleteEvaluation = keptStatement<AlertTables, { alert_id: number; evaluation: number }, unknown>((tx, { alert_id, evaluation }) =>
    tx.deleteFrom("alert_verdicts").where("alert_id", "=", alert_id).where("evaluation", "=", evaluation),
  );

  /** Page by page, since there may be many. */
  async function* pages(
    narrow: (query: SelectQueryBuilder<AlertTables, "alerts", object>) => SelectQueryBuilder<AlertTables, "alerts", object>,
  ): AsyncGenerator<KeptAlert> {
    for (let last = 0; ;) {
      const rows = await narrow(tables.read.selectFrom("alerts"))
        .selectAll()
        .where("id", ">", last)
        .orderBy("id")
        .limit(LOADED_AT_ONCE)
        .execute();
      for (const row of rows) yield alertFromRow(row);
      last = rows.at(-1)?.id ?? last;
      if (rows.length < LOADED_AT_ONCE) return;
    }
  }

  return {
    write: tables.write,

    active: () => pages((query) => query.where("status", "=", sql.lit("active"))),
    /** Resolved alerts whose end waits to be sent. */
    heldEnds: () => pages((query) => query.where("status", "=", sql.lit("resolved")).where("held_by", "=", sql.lit("flapping"))),
    /** Alerts that a user resolved while their source still reports them. */
    persisting: () => pages((query) => query.where("persists", "=", sql.lit(1))),
    /** Alerts that fired at or after a time, in order. */
    since: (from: Date) => pages((query) => query.where("fired_at", ">=", from.getTime())),

    async one(id: number): Promise<KeptAlert | undefined> {
      const row = await tables.read.selectFrom("alerts").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : alertFromRow(row);
    },

    /** A page, newest first. */
    async page(filter: ListQuery): Promise<KeptAlert[]> {
      // Chosen by an index alone, and only then read.
      const chosen = await narrowed(tables.read.selectFrom("alerts"), filter)
        .select("id")
        .orderBy("fired_at", "desc")
        .orderBy("id", "desc")
        .limit(filter.limit)
        .offset(filter.offset)
        .execute();
      if (chosen.length === 0) return [];
      const ids = chosen.map(({ id }) => id);
      const rows = await tables.read.selectFrom("alerts").selectAll().where("id", "in", ids).execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => byId.get(id) ?? []).map(alertFromRow);
    },

    /** The last times that the same problem of the same thing fired before an alert, newest first, and how many there are. */
    async earlier(alert: KeptAlert, limit: number): Promise<{ alerts: KeptAlert[]; total: number }> {
      const key = keyColumns(alert);
      const before = tables.read
        .selectFrom("alerts")
        .where("entity_id", "=", key.entity_id)
        .where("entity_type", "=", key.entity_type)
        .where("source", "=", key.source)
        .where("event", "=", key.event)
        .where("fired_at", "<=", alert.firedAt.getTime())
        .where("id", "!=", alert.id);
      const rows = await before.selectAll().orderBy("fired_at", "desc").orderBy("id", "desc").limit(limit).execute();
      if (rows.length < limit) return { alerts: rows.map(alertFromRow), total: rows.length };
      const { total } = await before.select(sql<number>`COUNT(*)`.as("total")).executeTakeFirstOrThrow();
      return { alerts: rows.map(alertFromRow), total: Number(total) };
    },

    async count(filter: ListQuery): Promise<number> {
      const counted = await narrowed(tables.read.selectFrom("alerts"), filter)
        .select(sql<number>`COUNT(*)`.as("total"))
        .executeTakeFirstOrThrow();
      return Number(counted.total);
    },

    async groups(): Promise<Group[]> {
      const rows = await tables.read
        .selectFrom("alerts")
        .select(["source", "severity", "status", "entity_type", "agent_id", sql<number>`COUNT(*)`.as("count")])
        .groupBy(["source", "severity", "status", "entity_type", "agent_id"])
        .execute();
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },

    /** Oldest first. */
    async evaluations(alertId: number): Promise<SavedEvaluation[]> {
      const rows = await tables.read
        .selectFrom("alert_verdicts")
        .selectAll()
        .where("alert_id", "=", alertId)
        .orderBy("evaluation")
        .execute();
      return rows.map(evaluationFromRow);
    },

    /** Saves new alerts; answers their ids by key. A missing key is an alert that another program already made active. */
    async insert(tx: Tx, alerts: readonly KeptAlert[]): Promise<Map<string, number>> {
      const rows = alerts.map((alert) => ({ ...keyColumns(alert), ...stateColumns(alert), fired_at: alert.firedAt.getTime() }));
      const saved = await insertAlerts(tx, rows);
      return new Map(
        saved.map(({ id, source, event, entity_type, entity_id }) => [[source, event, entity_type, entity_id].join("\n"), id]),
      );
    },

    async update(tx: Tx, alert: KeptAlert): Promise<void> {
      await updateAlert(tx, { ...stateColumns(alert), id: alert.id });
    },

    /** The first evaluation and the latest ones are kept. */
    async saveEvaluations(tx: Tx, evaluations: readonly { alertId: number; evaluation: SavedEvaluation }[]): Promise<void> {
      await insertEvaluations(
        tx,
        evaluations.map(({ alertId, evaluation }) => evaluationToRow(alertId, evaluation)),
      );
      for (const { alertId, evaluation } of evaluations) {
        const outdated = evaluation.number - LATEST_EVALUATIONS_KEPT;
        if (outdated > 1) await deleteEvaluation(tx, { alert_id: alertId, evaluation: outdated });
      }
    },

    /** The active alert with the same key. */
    async sameActive(tx: Tx, alert: KeptAlert): Promise<KeptAlert> {
      const key = keyColumns(alert);
      const row = await tx
        .selectFrom("alerts")
        .selectAll()
        .where("source", "=", key.source)
        .where("event", "=", key.event)
        .where("entity_type", "=", key.entity_type)
        .where("entity_id", "=", key.entity_id)
        .where("status", "=", "active")
        .executeTakeFirstOrThrow();
      return alertFromRow(row);
    },

    inUnit: (unit: Unit): Tx => inTables<AlertTables>(unit),

    /** The ids of all alerts of an agent's host, in the caller's unit, each batch small enough for one statement. */
    async ofHost(unit: Unit, agentId: string): Promise<number[][]> {
      const rows = await inTables<AlertTables>(unit)
        .selectFrom("alerts")
        .select("id")
        .where("agent_id", "=", agentId)
        .orderBy("id")
        .execute();
      const ids = rows.map(({ id }) => id);
      return [...inBatches(ids, DELETED_AT_ONCE)];
    },

    /** In the caller's unit. */
    async remove(unit: Unit, ids: readonly number[]): Promise<void> {
      const tx = inTables<AlertTables>(unit);
      await tx.deleteFrom("alert_verdicts").where("alert_id", "in", ids).execute();
      await tx.deleteFrom("alerts").where("id", "in", ids).execute();
    },

    /** Deletes a batch of alerts resolved before a time, with their verdicts; answers how many. */
    async prune(before: Date): Promise<number> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("alerts")
          .select("id")
          .where("resolved_at", "<", before.getTime())
          .orderBy("resolved_at")
          .limit(DELETED_AT_ONCE)
          .execute();
        if (old.length === 0) return 0;
        const ids = old.map(({ id }) => id);
        await tx.deleteFrom("alerts").where("id", "in", ids).execute();
        return ids.length;
      });
    },
  };
}

function narrowed<Row>(
  query: SelectQueryBuilder<AlertTables, "alerts", Row>,
  { source, severity, status, entity_type, entity_id, since, until, agent_id }: ListQuery,
): SelectQueryBuilder<AlertTables, "alerts", Row> {
  let narrow = query;
  if (source !== undefined) narrow = narrow.where("source", "=", source);
  if (severity !== undefined) narrow = narrow.where("severity", "=", severity);
  if (status !== undefined) narrow = narrow.where("status", "=", status);
  if (entity_type !== undefined) narrow = narrow.where("entity_type", "=", entity_type);
  if (entity_id !== undefined) narrow = narrow.where("entity_id", "=", entity_id);
  if (since !== undefined) narrow = narrow.where("fired_at", ">=", Date.parse(since));
  if (until !== undefined) narrow = narrow.where("fired_at", "<", Date.parse(until));
  if (agent_id === "local") narrow = narrow.where("agent_id", "is", null);
  else if (agent_id !== undefined) narrow = narrow.where("agent_id", "=", agent_id);
  return narrow;
}
