import { type Kysely, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import type { Settled } from "../deliveries/index.ts";
import type { PageQuery } from "./api.ts";
import type { Policy } from "./policy.ts";
import {
  deliveryFromRow,
  deliveryToRow,
  policyToRow,
  type RunDelivery,
  runFromRow,
  runToKey,
  runToState,
  type SavedRun,
  type SavedRunDelivery,
  type DeliveryColumns,
  type EscalationTables,
  type RunKey,
  type RunState,
  policyFromRow,
} from "./rows.ts";
import type { Run, Stop } from "./run.ts";

/** A unit of writing, of this feature or of its caller. */
export type Tx = Kysely<EscalationTables>;

export type RunStore = ReturnType<typeof createRunStore>;

/** Runs and their notifications. */
export function createRunStore(database: Database) {
  const tables = database.tables<EscalationTables>();
  const addRuns = keptRows((tx: Tx, rows: readonly (RunKey & RunState & { version: number })[]) =>
    tx
      .insertInto("escalation_runs")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["alert_id", "policy_id"]).doNothing())
      .returning(["id", "policy_id"]),
  );
  const runsOfAlert = keptStatement((tx: Tx, { alert_id }: { alert_id: number }) =>
    tx.selectFrom("escalation_runs").selectAll().where("alert_id", "=", alert_id).orderBy("id"),
  );
  const addDeliveries = keptRows((tx: Tx, rows: readonly DeliveryColumns[]) => tx.insertInto("escalation_deliveries").values(rows));

  async function deliveriesOf(tx: Tx, runId: number): Promise<SavedRunDelivery[]> {
    const rows = await tx.selectFrom("escalation_deliveries").selectAll().where("run_id", "=", runId).orderBy("id").execute();
    return rows.map(deliveryFromRow);
  }

  /** Ends the live runs that match. */
  async function stopWhere(tx: Tx, { policyId, status, now }: { policyId?: number; status: Stop; now: Date }): Promise<SavedRun[]> {
    const over = { status, paused_at: null, paused_until: null, next_at: null, due_at: null, ended_at: now.getTime() };
    const rows = await tx
      .updateTable("escalation_runs")
      .set((run) => ({ ...over, version: run("version", "+", 1) }))
      .where("ended_at", "is", null)
      .$if(policyId !== undefined, (query) => query.where("policy_id", "=", policyId ?? 0))
      .returningAll()
      .execute();
    return rows.map(runFromRow);
  }

  return {
    /** To save related changes together. */
    write: tables.write,

    /** In the caller's unit. A policy has at most one run for an alert; answers the new ones. */
    async start(tx: Tx, runs: readonly Omit<Run, "id">[]): Promise<Run[]> {
      const made = await addRuns(
        tx,
        runs.map((run) => ({ ...runToKey(run), ...runToState(run), version: 0 })),
      );
      return made.flatMap(({ id, policy_id }) => {
        const run = runs.find(({ policyId }) => policyId === policy_id);
        return run === undefined ? [] : [{ ...run, id }];
      });
    },

    async ofAlertIn(tx: Tx, alertId: number): Promise<SavedRun[]> {
      return (await runsOfAlert(tx, { alert_id: alertId })).rows.map(runFromRow);
    },

    deliveriesIn: deliveriesOf,

    /** False when another program changed it since it was read. */
    async save(tx: Tx, run: Run, { version }: SavedRun): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable("escalation_runs")
        .set({ ...runToState(run), version: version + 1 })
        .where("id", "=", run.id)
        .where("version", "=", version)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async addDeliveries(tx: Tx, deliveries: readonly RunDelivery[]): Promise<void> {
      await addDeliveries(tx, deliveries.map(deliveryToRow));
    },

    /** The live runs that are due first, and when. */
    async soonest(limit: number): Promise<(SavedRun & { dueAt: Date })[]> {
      const rows = await tables.read
        .selectFrom("escalation_runs")
        .selectAll()
        .where("due_at", "is not", null)
        .orderBy("due_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...runFromRow(row), dueAt: new Date(row.due_at ?? 0) }));
    },

    /** The next live runs, in the order of their ids. */
    async live(afterId: number, limit: number): Promise<SavedRun[]> {
      const rows = await tables.read
        .selectFrom("escalation_runs")
        .selectAll()
        .where("ended_at", "is", null)
        .where("id", ">", afterId)
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(runFromRow);
    },

    async get(id: number): Promise<SavedRun | undefined> {
      const row = await tables.read.selectFrom("escalation_runs").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : runFromRow(row);
    },

    deliveries: (runId: number): Promise<SavedRunDelivery[]> => deliveriesOf(tables.read, runId),

    async ofAlert(alertId: number): Promise<SavedRun[]> {
      return (await runsOfAlert(tables.read, { alert_id: alertId })).rows.map(runFromRow);
    },

    /** Newest first. */
    async ofPolicy(policyId: number, { limit, offset }: PageQuery): Promise<{ runs: SavedRun[]; total: number }> {
      const all = tables.read.selectFrom("escalation_runs").where("policy_id", "=", policyId);
      const rows = await all.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
      const { total } = await all.select(sql<number>`COUNT(*)`.as("total")).executeTakeFirstOrThrow();
      return { runs: rows.map(runFromRow), total: Number(total) };
    },

    /** Deletes a policy and ends its runs; answers them. */
    removePolicy(policyId: number, now: Date): Promise<SavedRun[]> {
      return tables.write(async (tx) => {
        await tx.deleteFrom("escalation_policies").where("id", "=", policyId).execute();
        return stopWhere(tx, { policyId, status: "stopped_by_policy_deletion", now });
      });
    },

    /** Saves policies whose activity follows the edition; with `stop` it also ends all runs, and answers them. */
    followEdition(policies: readonly Policy[], { stop, now }: { stop: boolean; now: Date }): Promise<SavedRun[]> {
      return tables.write(async (tx) => {
        for (const policy of policies) {
          await tx.updateTable("escalation_policies").set(policyToRow(policy)).where("id", "=", policy.id).execute();
        }
        return stop ? stopWhere(tx, { status: "stopped_by_edition_downgrade", now }) : [];
      });
    },

    /** Saves what became of a delivery. One that was sent stays sent. */
    async settle({ id, status, error, at }: Pick<Settled, "id" | "status" | "error" | "at">): Promise<void> {
      await tables.write((tx) =>
        tx
          .updateTable("escalation_deliveries")
          .set({ status, error, settled_at: at.getTime() })
          .where("delivery_id", "=", id)
          .where("status", "<>", "sent")
          .execute(),
      );
    },

    /** Deliveries without a known outcome, made before a moment. */
    pending(before: Date, afterId: number, limit: number): Promise<{ id: number; deliveryId: number }[]> {
      return tables.read
        .selectFrom("escalation_deliveries")
        .select("id")
        .select((eb) => eb.ref("delivery_id").$notNull().as("deliveryId"))
        .where("status", "=", sql.lit("pending"))
        .where("delivery_id", "is not", null)
        .where("created_at", "<=", before.getTime())
        .where("id", ">", afterId)
        .orderBy("id")
        .limit(limit)
        .execute();
    },

    /** Deletes the runs of alerts and their notifications, in the caller's unit. */
    async purgeAlerts(unit: Unit, alertIds: readonly number[]): Promise<void> {
      const tx = inTables<EscalationTables>(unit);
      const runs = tx.selectFrom("escalation_runs").select("id").where("alert_id", "in", alertIds);
      await tx.deleteFrom("escalation_deliveries").where("run_id", "in", runs).execute();
      await tx.deleteFrom("escalation_runs").where("alert_id", "in", alertIds).execute();
    },

    /** Deletes a batch of runs that ended before a moment, with their notifications, unless their alert is active; answers how many. */
    purge(before: Date, limit: number): Promise<number> {
      return tables.write(async (tx) => {
        const rows = await tx
          .selectFrom("escalation_runs")
          .select("id")
          .where("ended_at", "<", before.getTime())
          .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.id = escalation_runs.alert_id AND alerts.status = 'active')`)
          .orderBy("ended_at")
          .limit(limit)
          .execute();
        const ids = rows.map(({ id }) => id);
        if (ids.length === 0) return 0;
        await tx.deleteFrom("escalation_deliveries").where("run_id", "in", ids).execute();
        await tx.deleteFrom("escalation_runs").where("id", "in", ids).execute();
        return ids.length;
      });
    },
  };
}

export type PolicyStore = ReturnType<typeof createPolicyStore>;

/** Saves policies. Their runs are saved by createRunStore. */
export function createPolicyStore(database: Database) {
  const tables = database.tables<EscalationTables>();
  return {
    async all(): Promise<Policy[]> {
      const rows = await tables.read.selectFrom("escalation_policies").selectAll().orderBy("id").execute();
      return rows.map(policyFromRow);
    },

    async create(policy: Omit<Policy, "id">): Promise<Policy> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("escalation_policies").values(policyToRow(policy)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...policy, id };
    },

    async save(policy: Policy): Promise<void> {
      await tables.write((tx) => tx.updateTable("escalation_policies").set(policyToRow(policy)).where("id", "=", policy.id).execute());
    },
  };
}
