import { type Kysely, type Selectable, sql } from "kysely";
import type { Mark } from "../../platform/dispatcher.ts";
import type { Database } from "../../storage/database.ts";
import { keptStatement, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import { createOutbox } from "../../storage/outbox.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { DeliveriesQuery } from "./api.ts";
import type { WebhookDeliveryRecord } from "./answers.ts";
import {
  type Counts,
  deliveryRecord,
  openRow,
  sealedColumns,
  settingsToRow,
  stateToRow,
  webhookFromRow,
  WITHOUT_SECRETS,
  type NewDeliveryRow,
  type WebhookDeliveryRow,
  type WebhookTables,
} from "./rows.ts";
import { CROWDED_OUT, MOST_PENDING, MOST_PENDING_FREQUENT, type State, type WaitingDelivery, type Webhook } from "./webhook.ts";

/** Deleted in one unit. */
const BATCH = 500;

type Tx = Kysely<WebhookTables>;
type WaitingRow = Pick<Selectable<WebhookDeliveryRow>, "id" | "webhook_id" | "type" | "body" | "attempts">;

/** An event for one subscription. */
export interface NewDelivery {
  webhookId: number;
  eventId: string;
  type: string;
  body: string;
  at: Date;
  isFrequent: boolean;
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(database: Database, secrets: StoredSecrets) {
  const tables = database.tables<WebhookTables>();
  const statements = createStatements();

  /** Gives up the oldest of those that wait, if there are too many. */
  async function bound(tx: Tx, webhookId: number): Promise<void> {
    const excess = (await countPending(tx, webhookId)) - MOST_PENDING;
    if (excess <= 0) return;
    const oldest = tx
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("webhook_id", "=", webhookId)
      .where("status", "=", sql.lit("pending"))
      .orderBy("id")
      .limit(excess);
    await tx
      .updateTable("webhook_deliveries")
      .set({ status: "failed", next_attempt_at: null, last_error: CROWDED_OUT, body: "" })
      .where("id", "in", oldest)
      .execute();
    await tx
      .updateTable("webhooks")
      .set((set) => ({ dropped: set("dropped", "+", excess) }))
      .where("id", "=", webhookId)
      .execute();
  }

  async function countPending(tx: Tx, webhookId: number): Promise<number> {
    const { rows } = await statements.pending(tx, { webhook_id: webhookId });
    return Number(rows[0]?.total ?? 0);
  }

  const outbox = createOutbox<WaitingDelivery, WaitingRow>(database, {
    table: "webhook_deliveries",
    lane: "webhook_id",
    select: sql`SELECT waiting.id, waiting.webhook_id, waiting.type, waiting.body, waiting.attempts FROM webhook_deliveries AS waiting`,
    fromRow: ({ webhook_id: webhookId, ...row }) => ({ ...row, webhookId }),
    emptied: "body",
  });

  return {
    outbox,

    async all(): Promise<Webhook[]> {
      return (await tables.read.selectFrom("webhooks").selectAll().orderBy("id").execute()).map((row) =>
        webhookFromRow(openRow(row, secrets)),
      );
    },

    async counts(): Promise<Map<number, Counts>> {
      const pending = await tables.read
        .selectFrom("webhook_deliveries")
        .select((row) => ["webhook_id", row.fn.countAll<number>().as("pending")])
        .where("status", "=", sql.lit("pending"))
        .groupBy("webhook_id")
        .execute();
      const byId = new Map(pending.map((row) => [row.webhook_id, Number(row.pending)]));
      const rows = await tables.read.selectFrom("webhooks").select(["id", "dropped"]).execute();
      return new Map(rows.map(({ id, dropped }) => [id, { pending: byId.get(id) ?? 0, dropped }]));
    },

    async create(webhook: Omit<Webhook, "id">): Promise<Webhook> {
      const id = await tables.write(async (tx) => {
        const row = await tx
          .insertInto("webhooks")
          .values({
            ...settingsToRow(webhook),
            ...WITHOUT_SECRETS,
            ...stateToRow(webhook),
            created_at: webhook.createdAt.getTime(),
            dropped: 0,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        // Sealed for its id, which is known only now.
        await tx
          .updateTable("webhooks")
          .set(sealedColumns(webhook, row.id, secrets))
          .where("id", "=", row.id)
          .execute();
        return row.id;
      });
      return { ...webhook, id };
    },

    async save(webhook: Webhook): Promise<void> {
      await tables.write((tx) =>
        tx
          .updateTable("webhooks")
          .set({ ...settingsToRow(webhook), ...sealedColumns(webhook, webhook.id, secrets), ...stateToRow(webhook) })
          .where("id", "=", webhook.id)
          .execute(),
      );
    },

    /** Its deliveries that wait are given up later, and its rows deleted. */
    async remove(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("webhooks").where("id", "=", id).execute());
    },

    /** Saves outcomes of deliveries together with the state of their subscription; answers which still waited. */
    async keepWith(marks: readonly Mark<WaitingDelivery>[], { id, state }: { id: number; state: State }): Promise<ReadonlySet<number>> {
      return tables.write(async (tx) => {
        const kept = await outbox.keepIn(tx, marks);
        await tx.updateTable("webhooks").set(stateToRow(state)).where("id", "=", id).execute();
        return kept;
      });
    },

    /** Adds deliveries, in order, as far as there is room. */
    async add(added: readonly NewDelivery[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const [webhookId, mine] of Map.groupBy(added, (each) => each.webhookId)) {
          const isCrowded = mine.some(({ isFrequent }) => isFrequent) && (await countPending(tx, webhookId)) >= MOST_PENDING_FREQUENT;
          const rows = mine.filter(({ isFrequent }) => !(isFrequent && isCrowded)).map(newRow);
          await statements.add(tx, rows);
          await bound(tx, webhookId);
        }
      });
    },

    /** Adds deliveries in the transaction that makes their events true; {@link bound} keeps them within bounds. */
    async addIn(unit: object, added: readonly NewDelivery[]): Promise<void> {
      // The publisher that passes events to the bus also passes its transaction.
      await statements.add(inTables<WebhookTables>(unit as Unit), added.map(newRow));
    },

    /** Gives up the oldest of those that wait for a subscription, if there are too many. */
    bound: (webhookId: number): Promise<void> => tables.write((tx) => bound(tx, webhookId)),

    /** Newest first. */
    async deliveries(
      webhookId: number,
      { limit, offset }: DeliveriesQuery,
    ): Promise<{ deliveries: WebhookDeliveryRecord[]; total: number }> {
      const mine = tables.read.selectFrom("webhook_deliveries").where("webhook_id", "=", webhookId);
      const rows = await mine.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
      const { total } = await mine.select((count) => count.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      return { deliveries: rows.map(deliveryRecord), total: Number(total) };
    },

    /** Deletes some of what is over and older, or more than `most` of one subscription; answers whether there may be more. */
    async prune(webhookId: number, { before, most }: { before: Date; most: number }): Promise<boolean> {
      const over = tables.read
        .selectFrom("webhook_deliveries")
        .where("webhook_id", "=", webhookId)
        .where("status", "!=", sql.lit("pending"));
      const last = await over.select("id").orderBy("id", "desc").limit(1).offset(most).executeTakeFirst();
      const rows = await over
        .select("id")
        .where((where) => where.or([where("id", "<=", last?.id ?? 0), where("created_at", "<", before.getTime())]))
        .orderBy("id")
        .limit(BATCH)
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return false;
      await tables.write((tx) => tx.deleteFrom("webhook_deliveries").where("id", "in", ids).execute());
      return ids.length === BATCH;
    },

    /** Subscriptions that have deliveries, those that are deleted too. */
    async withDeliveries(): Promise<number[]> {
      const ids: number[] = [];
      for (let after = 0; ;) {
        const row = await tables.read
          .selectFrom("webhook_deliveries")
          .select("webhook_id")
          .where("webhook_id", ">", after)
          .orderBy("webhook_id")
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return ids;
        ids.push(row.webhook_id);
        after = row.webhook_id;
      }
    },
  };
}

function newRow({ webhookId, eventId, type, body, at }: NewDelivery): NewDeliveryRow {
  const atMs = at.getTime();
  return { webhook_id: webhookId, event_id: eventId, type, body, status: "pending", attempts: 0, next_attempt_at: atMs, created_at: atMs };
}

/** The statements of hot paths, kept for one database. */
function createStatements() {
  return {
    add: keptRows((tx: Tx, rows: readonly NewDeliveryRow[]) => tx.insertInto("webhook_deliveries").values(rows)),
    pending: keptStatement((tx: Tx, values: { webhook_id: number }) =>
      tx
        .selectFrom("webhook_deliveries")
        .select((row) => row.fn.countAll<number>().as("total"))
        .where("webhook_id", "=", values.webhook_id)
        .where("status", "=", sql.lit("pending")),
    ),
  };
}
