import { type Kysely, sql } from "kysely";
import { DAY_MS } from "../../../contract/time.ts";
import type { Outbox, Mark } from "../../../platform/dispatcher.ts";
import { cleanName } from "../../../platform/text.ts";
import type { Database } from "../../../storage/database.ts";
import { isPastKeeping } from "../../../storage/retention.ts";
import { keptStatement } from "../../../storage/statements.ts";
import { createOutbox } from "../../../storage/outbox.ts";
import type { Notice } from "./notice.ts";
import { idsFrom, type SubscriberTables, type WaitingMail } from "./rows.ts";
import { CONFIRM_MS, MAILS_KEPT_MS, UNSUBSCRIBE_MS } from "./subscriber.ts";

/** Deleted in one unit. */
const BATCH = 500;
const ERROR_LENGTH = 500;

type Tx = Kysely<SubscriberTables>;

/** What an attempt needs to know of a mail. */
export type OpenedMail = { email: string } & (
  | { about: "confirmation"; components: number[]; isSubscribed: boolean }
  | { about: "news"; notice: Notice }
);

export type MailStore = ReturnType<typeof createMailStore>;

export function createMailStore(database: Database) {
  const tables = database.tables<SubscriberTables>();
  const statements = createStatements();

  const messages = createOutbox<WaitingMail, WaitingRow>(database, {
    table: "status_mails",
    lane: "lane",
    select: sql`SELECT waiting.id, waiting.attempts, waiting.subscriber_id, waiting.notice_id, waiting.created_at FROM status_mails AS waiting`,
    fromRow: mailFromRow,
    // A mail waits for the earlier ones of its subscriber.
    after: sql`earlier.subscriber_id = waiting.subscriber_id`,
  });
  const outbox: Outbox<WaitingMail> = {
    ...messages,
    keep: (marks) =>
      tables.write(async (tx) => {
        const kept = await messages.keepIn(tx, marks);
        for (const mark of marks) if (kept.has(mark.item.id)) await note(tx, mark);
        return kept;
      }),
  };

  /** What is shown of the last mail of a subscriber. */
  async function note(tx: Tx, { item, attemptedAt, status, error }: Mark<WaitingMail>): Promise<void> {
    const values = { last_error: error === null ? null : cleanName(error, ERROR_LENGTH), id: item.subscriberId };
    if (status === "sent" && attemptedAt !== null) await statements.noteSent(tx, { last_mail_at: attemptedAt.getTime(), ...values });
    else await statements.noteFailed(tx, values);
  }

  return {
    outbox,

    async countWaiting(): Promise<number> {
      const { total } = await tables.read
        .selectFrom("status_mails")
        .select((row) => row.fn.countAll<number>().as("total"))
        .where("status", "=", sql.lit("pending"))
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    /** Stores the link of a mail, and answers what the mail contains; undefined when its subscriber has left. */
    async open({ id }: WaitingMail, hash: string, now: Date): Promise<OpenedMail | undefined> {
      return tables.write(async (tx) => {
        const mail = await tx
          .selectFrom("status_mails")
          .innerJoin("status_subscribers", "status_subscribers.id", "status_mails.subscriber_id")
          .leftJoin("status_notices", "status_notices.id", "status_mails.notice_id")
          .select(["subscriber_id", "email", "confirmed_at", "notice_id", "body", "status_mails.components", "status_mails.created_at"])
          .where("status_mails.id", "=", id)
          .executeTakeFirst();
        if (mail === undefined) return undefined;
        const { email, components, body } = mail;
        const isNews = mail.notice_id !== null;
        // Nobody gets mail who has not asked for it.
        if (isNews && (mail.confirmed_at === null || body === null)) return undefined;
        const expiresAt = isNews ? now.getTime() + UNSUBSCRIBE_MS : mail.created_at + CONFIRM_MS;
        await tx
          .insertInto("status_subscriber_tokens")
          .values({
            hash,
            purpose: isNews ? "unsubscribe" : "confirm",
            subscriber_id: mail.subscriber_id,
            components,
            expires_at: expiresAt,
            used_at: null,
          })
          // An earlier attempt or an earlier mail had the same link.
          .onConflict((conflict) => conflict.column("hash").doUpdateSet({ expires_at: expiresAt }))
          .execute();
        // The column holds what `insert` wrote.
        if (isNews) return { email, about: "news", notice: JSON.parse(body ?? "") as Notice };
        return { email, about: "confirmation", components: idsFrom(components ?? "[]"), isSubscribed: mail.confirmed_at !== null };
      });
    },

    /** Deletes some of what is over and old; answers whether there may be more. Ids rise with time, so the oldest stand first. */
    async prune(now: Date): Promise<boolean> {
      const nowMs = now.getTime();
      const beforeMs = nowMs - MAILS_KEPT_MS;
      const mails = await tables.read
        .selectFrom("status_mails")
        .select(["id", "created_at", "status"])
        .orderBy("id")
        .limit(BATCH)
        .execute();
      const oldMails = mails
        .filter((row) => isPastKeeping(row.created_at, { beforeMs, nowMs }) && row.status !== "pending")
        .map(({ id }) => id);
      // A notice is deleted a day after the last mail that refers to it.
      const notices = await tables.read
        .selectFrom("status_notices")
        .select(["id", "created_at", "sent_at"])
        .orderBy("id")
        .limit(BATCH)
        .execute();
      const oldNotices = notices
        .filter((row) => isPastKeeping(row.created_at, { beforeMs: beforeMs - DAY_MS, nowMs }) && row.sent_at !== null)
        .map(({ id }) => id);
      if (oldMails.length === 0 && oldNotices.length === 0) return false;
      await tables.write(async (tx) => {
        if (oldMails.length > 0) await tx.deleteFrom("status_mails").where("id", "in", oldMails).execute();
        if (oldNotices.length > 0) await tx.deleteFrom("status_notices").where("id", "in", oldNotices).execute();
      });
      return oldMails.length === BATCH || oldNotices.length === BATCH;
    },
  };
}

interface WaitingRow {
  id: number;
  attempts: number;
  subscriber_id: number;
  notice_id: number | null;
  created_at: number;
}

function mailFromRow({ id, attempts, subscriber_id: subscriberId, notice_id: noticeId, created_at: createdAt }: WaitingRow): WaitingMail {
  return { id, attempts, subscriberId, noticeId, createdAt: new Date(createdAt) };
}

/** The statements of hot paths, kept for one database. */
function createStatements() {
  return {
    noteSent: keptStatement((tx: Tx, values: { last_mail_at: number; last_error: string | null; id: number }) =>
      tx
        .updateTable("status_subscribers")
        .set({ last_mail_at: values.last_mail_at, last_error: values.last_error })
        .where("id", "=", values.id),
    ),
    noteFailed: keptStatement((tx: Tx, values: { last_error: string | null; id: number }) =>
      tx.updateTable("status_subscribers").set({ last_error: values.last_error }).where("id", "=", values.id),
    ),
  };
}
