import type { Kysely } from "kysely";
import type { Database } from "../../../storage/database.ts";
import { inBatches, keptRows } from "../../../storage/statements.ts";
import { type AnnouncedWork, incidentKey, type NewNotice, type Notice } from "./notice.ts";
import { idsFrom, idsToText, announcedFromRow, announcedToRow, type NewMailRow, type SubscriberTables, newNews } from "./rows.ts";
import { NEWS_MS, wants } from "./subscriber.ts";

/** Subscribers whose mails are made in one unit: few, since other units wait for it. */
const SPREAD = 200;
/** The next notice waits while so many mails do. */
const MOST_WAITING = 200_000;
/** Deleted in one unit. */
const BATCH = 500;

type Tx = Kysely<SubscriberTables>;

export type NoticeStore = ReturnType<typeof createNoticeStore>;

/** Notices, and the mails that are made of them. */
export function createNoticeStore(database: Database, { countWaiting }: { countWaiting(): Promise<number> }) {
  const tables = database.tables<SubscriberTables>();
  const addMails = keptRows((tx: Tx, rows: readonly NewMailRow[]) =>
    tx
      .insertInto("status_mails")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["notice_id", "subscriber_id"]).doNothing()),
  );

  async function insert(tx: Tx, { key, notice, components, at }: NewNotice): Promise<void> {
    await tx
      .insertInto("status_notices")
      .values({
        notice_key: key,
        body: JSON.stringify(notice),
        components: idsToText(components),
        created_at: at.getTime(),
        last_subscriber_id: 0,
        sent_at: null,
      })
      .onConflict((conflict) => conflict.column("notice_key").doNothing())
      .execute();
  }

  return {
    /** In the unit of the caller. */
    async put<Schema>(tx: Kysely<Schema>, notice: NewNotice): Promise<void> {
      // One database, and these tables are in it.
      await insert(tx as unknown as Tx, notice);
    },

    /** Whether there is a notice of the incident, and the latest is not that it is over; in the unit of the caller. */
    async awaitsEnd<Schema>(tx: Kysely<Schema>, incidentId: number): Promise<boolean> {
      const latest = await (tx as unknown as Tx)
        .selectFrom("status_notices")
        .select("body")
        .where("notice_key", "like", `${incidentKey(incidentId)}%`)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return latest !== undefined && (JSON.parse(latest.body) as Notice).kind !== "incident_resolved";
    },

    /** Makes some mails of the oldest notice that not everybody was sent yet; answers their lanes, and whether there may be more. */
    async spread(now: Date): Promise<{ lanes: ReadonlySet<number>; more: boolean }> {
      const none = { lanes: new Set<number>(), more: false };
      const notice = await tables.read
        .selectFrom("status_notices")
        .select(["id", "components", "created_at", "last_subscriber_id"])
        .where("sent_at", "is", null)
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      if (notice === undefined || (notice.last_subscriber_id === 0 && (await countWaiting()) >= MOST_WAITING)) return none;
      const isOld = now.getTime() - notice.created_at > NEWS_MS;
      const about = idsFrom(notice.components);
      return tables.write(async (tx) => {
        const subscribers = isOld
          ? []
          : await tx
              .selectFrom("status_subscribers")
              .select(["id", "components"])
              .where("id", ">", notice.last_subscriber_id)
              .where("confirmed_at", "is not", null)
              .orderBy("id")
              .limit(SPREAD)
              .execute();
        const isLast = subscribers.length < SPREAD;
        const claimed = await tx
          .updateTable("status_notices")
          .set({ last_subscriber_id: subscribers.at(-1)?.id ?? notice.last_subscriber_id, sent_at: isLast ? now.getTime() : null })
          .where("id", "=", notice.id)
          .where("last_subscriber_id", "=", notice.last_subscriber_id)
          .where("sent_at", "is", null)
          .returning("id")
          .execute();
        // Another process of the same database was faster.
        if (claimed.length === 0) return { ...none, more: true };
        const rows = subscribers
          .filter(({ components }) => wants(idsFrom(components), about))
          .map(({ id }) => newNews(id, notice.id, now.getTime()));
        await addMails(tx, rows);
        return { lanes: new Set(rows.map(({ lane }) => lane)), more: true };
      });
    },

    async announcedWorks(): Promise<AnnouncedWork[]> {
      return (await tables.read.selectFrom("status_works_announced").selectAll().execute()).map(announcedFromRow);
    },

    /** Saves what is announced of a window together with its notice; answers false when another process was faster. */
    async saveAnnounced(next: AnnouncedWork, notice: NewNotice | undefined, at: Date): Promise<boolean> {
      return tables.write(async (tx) => {
        const { window_id: id, ...values } = announcedToRow(next, at);
        const ours = await tx
          .insertInto("status_works_announced")
          .values({ window_id: id, ...values })
          .onConflict((conflict) =>
            conflict
              .column("window_id")
              .doUpdateSet(values)
              .where("status_works_announced.version", "=", next.version - 1),
          )
          .returning("window_id")
          .execute();
        if (ours.length === 0) return false;
        if (notice !== undefined) await insert(tx, notice);
        return true;
      });
    },

    /** Forgets windows that are over and of which nothing is known any more. */
    async forgetWorks(ids: readonly number[]): Promise<void> {
      for (const some of inBatches(ids, BATCH))
        await tables.write((tx) => tx.deleteFrom("status_works_announced").where("window_id", "in", some).execute());
    },
  };
}
