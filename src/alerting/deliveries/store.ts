import { type Kysely, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import { WRONG_CLOCK_MS } from "../../storage/retention.ts";
import { keptStatement, inBatches, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import { createOutbox } from "../../storage/outbox.ts";
import type { Notification, Target } from "../vocabulary.ts";
import type { DeliveryRecord } from "./answers.ts";
import type { ListQuery } from "./api.ts";
import {
  deliveryRecord,
  newRow,
  type NewDelivery,
  settledFromRow,
  waitingFromRow,
  type WaitingRow,
  type DeliveryTables,
  type Settled,
  type Step,
  type WaitingDelivery,
} from "./rows.ts";

/** How many rows are deleted in one unit. */
const BATCH = 500;
/** An alert usually has a few deliveries; one whose severity rises and that escalates for days has more. */
const MOST_OF_ONE_ALERT = 1000;

type Tx = Kysely<DeliveryTables>;
type NewRow = ReturnType<typeof newRow>;

/** What is to be sent, and to which channels. */
export interface NewOrder {
  event: Notification["event"];
  /** The notification as JSON. */
  body: string;
  alertId: number;
  targets: readonly Target[];
  escalation: Step | null;
  at: Date;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export function createDeliveryStore(database: Database) {
  const tables = database.tables<DeliveryTables>();
  const statements = createStatements();

  async function add(tx: Tx, body: string, at: Date, rowsOf: (notificationId: number) => readonly NewDelivery[]) {
    const { rows } = await statements.addNotification(tx, { body, created_at: at.getTime() });
    const [notification] = rows;
    if (notification === undefined) throw new Error("a notification was not given an id");
    return statements.addDeliveries(tx, rowsOf(notification.id).map(newRow));
  }

  function matching({ alert_id: alertId, channel_id: channelId, status }: ListQuery) {
    let query = tables.read.selectFrom("deliveries");
    if (alertId !== undefined) query = query.where("alert_id", "=", alertId);
    if (channelId !== undefined) query = query.where("channel_id", "=", channelId);
    if (status !== undefined) query = query.where("status", "=", status);
    return query;
  }

  const outbox = createOutbox<WaitingDelivery, WaitingRow>(database, {
    table: "deliveries",
    lane: "channel_id",
    select: WAITING,
    fromRow: waitingFromRow,
    after: sql`earlier.alert_id = waiting.alert_id`,
  });

  return {
    outbox,

    /** Writes in the caller's unit. */
    async put(tx: Tx, { event, body, alertId, targets, escalation, at }: NewOrder): Promise<{ id: number; channelId: number }[]> {
      const rows = await add(tx, body, at, (notificationId) =>
        targets.map((target) => ({ notificationId, alertId, target, event, escalation, replayOf: null, at })),
      );
      return rows.map(({ id, channel_id: channelId }) => ({ id, channelId }));
    },

    /** Orders the contents of a settled delivery again; undefined when there is no such delivery. */
    async replay({ id, because, at }: { id: number; because: string; at: Date }): Promise<DeliveryRecord | undefined> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("deliveries")
          .innerJoin("delivery_notifications as notification", "notification.id", "deliveries.notification_id")
          .selectAll("deliveries")
          .select("notification.body")
          .where("deliveries.id", "=", id)
          .where("status", "!=", "pending")
          .executeTakeFirst();
        if (old === undefined) return undefined;
        const { event, channel_id } = deliveryRecord(old);
        const target = { channelId: channel_id, notifyOnResolve: old.notify_on_resolve === 1, because };
        const [added] = await add(tx, old.body, at, (notificationId) => [
          { notificationId, alertId: old.alert_id, target, event, escalation: null, replayOf: id, at },
        ]);
        const row = await tx
          .selectFrom("deliveries")
          .selectAll()
          .where("id", "=", added?.id ?? 0)
          .executeTakeFirstOrThrow();
        return deliveryRecord(row);
      });
    },

    async find(id: number): Promise<DeliveryRecord | undefined> {
      const row = await tables.read.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : deliveryRecord(row);
    },

    /** Newest first. */
    async list(query: ListQuery): Promise<{ deliveries: DeliveryRecord[]; total: number }> {
      const rows = await matching(query).selectAll().orderBy("id", "desc").limit(query.limit).offset(query.offset).execute();
      const { total } = await matching(query)
        .select((count) => count.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return { deliveries: rows.map(deliveryRecord), total: Number(total) };
    },

    async of(alertId: number): Promise<DeliveryRecord[]> {
      const rows = await tables.read
        .selectFrom("deliveries")
        .selectAll()
        .where("alert_id", "=", alertId)
        .orderBy("id")
        .limit(MOST_OF_ONE_ALERT)
        .execute();
      return rows.map(deliveryRecord);
    },

    /** Channels that were or will be notified of an alert, and that want to be notified of its end. */
    async notified(alertId: number): Promise<number[]> {
      const { rows } = await statements.notified(tables.read, { alert_id: alertId });
      return rows.map((row) => row.channel_id);
    },

    /** What became of deliveries, by id; one that does not exist is left out. */
    async outcomes(ids: readonly number[]): Promise<Map<number, "pending" | Settled>> {
      if (ids.length === 0) return new Map();
      const rows = await tables.read.selectFrom("deliveries").selectAll().where("id", "in", ids).execute();
      return new Map(rows.map((row) => [row.id, row.status === "pending" ? "pending" : settledFromRow(row)]));
    },

    /**
     * Deletes the deliveries of alerts that are deleted, in the caller's unit. Waiting ones stay until they are settled, under the negative id of
     * their alert, which no alert has and which keeps their order.
     */
    async purgeAlerts(unit: Unit, alertIds: readonly number[]): Promise<void> {
      const tx = inTables<DeliveryTables>(unit);
      const ofThem = () => tx.selectFrom("deliveries").select("notification_id").where("alert_id", "in", alertIds);
      const notifications = await ofThem().where("status", "!=", sql.lit("pending")).distinct().execute();
      await tx.deleteFrom("deliveries").where("alert_id", "in", alertIds).where("status", "!=", sql.lit("pending")).execute();
      await removeUnused(
        tx,
        notifications.map((row) => row.notification_id),
      );
      await tx
        .updateTable("deliveries")
        .set(({ neg }) => ({ alert_id: neg("alert_id") }))
        .where("alert_id", "in", alertIds)
        .execute();
    },

    /** Deletes a batch of the deliveries of deleted alerts; answers whether there may be more. */
    async pruneGone(): Promise<boolean> {
      const rows = await tables.read
        .selectFrom("deliveries")
        .select(["id", "notification_id"])
        .where("alert_id", "<", 0)
        .where("status", "!=", sql.lit("pending"))
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return false;
      await tables.write(async (tx) => {
        await tx
          .deleteFrom("deliveries")
          .where(
            "id",
            "in",
            rows.map(({ id }) => id),
          )
          .execute();
        await removeUnused(tx, [...new Set(rows.map((row) => row.notification_id))]);
      });
      return rows.length === BATCH;
    },

    /** Deletes a batch of older deliveries; answers whether there may be more. */
    async prune({ beforeMs, nowMs }: { beforeMs: number; nowMs: number }): Promise<boolean> {
      const prune = async (table: "deliveries" | "delivery_notifications"): Promise<boolean> => {
        const oldest = tables.read.selectFrom(table).select("id").orderBy("id").limit(BATCH);
        // Ids rise with time, so rows behind the first that is kept are not read. A row whose clock was wrong holds up none.
        const young = oldest.where("created_at", ">=", beforeMs).where("created_at", "<=", nowMs + WRONG_CLOCK_MS);
        const kept = await young.limit(1).executeTakeFirst();
        const old = kept === undefined ? oldest : oldest.where("id", "<", kept.id);
        const ids = (await old.where(IS_NEEDED_NO_MORE[table]).execute()).map(({ id }) => id);
        if (ids.length === 0) return false;
        await tables.write((tx) => tx.deleteFrom(table).where("id", "in", ids).execute());
        return ids.length === BATCH;
      };
      // A notification is deleted after the last delivery that refers to it.
      return (await prune("deliveries")) || (await prune("delivery_notifications"));
    },
  };
}

/** Deliveries of an active alert are kept, since they determine who is notified of its end. */
const IS_NEEDED_NO_MORE = {
  deliveries: sql<boolean>`NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.id = deliveries.alert_id AND alerts.status = 'active')`,
  delivery_notifications: sql<boolean>`NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.notification_id = delivery_notifications.id)`,
};

/** Deletes those of these notifications to which no delivery refers any more. */
async function removeUnused(tx: Tx, notificationIds: readonly number[]): Promise<void> {
  for (const some of inBatches(notificationIds, BATCH)) {
    await tx
      .deleteFrom("delivery_notifications")
      .where("id", "in", some)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.notification_id", "=", "delivery_notifications.id")),
        ),
      )
      .execute();
  }
}

/** The statements of hot paths, prepared once for a database. */
function createStatements() {
  return {
    addNotification: keptStatement((tx: Tx, row: { body: string; created_at: number }) =>
      tx.insertInto("delivery_notifications").values(row).returning("id"),
    ),
    addDeliveries: keptRows((tx: Tx, rows: readonly NewRow[]) => tx.insertInto("deliveries").values(rows).returning(["id", "channel_id"])),
    notified: keptStatement((read: Tx, values: { alert_id: number }) =>
      read
        .selectFrom("deliveries")
        .select("channel_id")
        .distinct()
        .where("alert_id", "=", values.alert_id)
        .where("event", "=", sql.lit("alert.fired"))
        .where("status", "!=", sql.lit("failed"))
        .where("notify_on_resolve", "=", sql.lit(1))
        .orderBy("channel_id"),
    ),
  };
}

const WAITING = sql<WaitingRow>`SELECT waiting.id, waiting.alert_id, waiting.channel_id, waiting.event, waiting.escalation_run_id,
  waiting.escalation_level, waiting.attempts, notification.body,
  CASE WHEN waiting.event IN ('alert.resolved', 'alert.acknowledged') AND waiting.replay_of IS NULL
    AND EXISTS (SELECT 1 FROM deliveries AS lost WHERE lost.alert_id = waiting.alert_id AND lost.channel_id = waiting.channel_id
      AND lost.id < waiting.id AND lost.event = 'alert.fired' AND lost.status = 'failed')
    AND NOT EXISTS (SELECT 1 FROM deliveries AS delivered WHERE delivered.alert_id = waiting.alert_id AND delivered.channel_id = waiting.channel_id
      AND delivered.event = 'alert.fired' AND delivered.status = 'sent')
  THEN 1 ELSE 0 END AS firing_unsent
  FROM deliveries AS waiting JOIN delivery_notifications AS notification ON notification.id = waiting.notification_id`;
