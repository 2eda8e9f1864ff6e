import { type Kysely, sql } from "kysely";
import type { SubscriberStatus } from "../../../contract/status-page.ts";
import type { Database } from "../../../storage/database.ts";
import { idsToText, subscriberFromRow, tokenFromRow, type SubscriberTables, newConfirmation } from "./rows.ts";
import { ASKED, CONFIRM_MS, EXPIRED_KEPT_MS, MOST_PENDING, type Subscriber, type Token, readAddress, type Address } from "./subscriber.ts";

/** Changed in one unit. */
const BATCH = 200;

type Tx = Kysely<SubscriberTables>;

export interface Listed {
  status: SubscriberStatus | undefined;
  q: string | undefined;
  limit: number;
  offset: number;
}

const SHOWN = ["id", "email", "components", "created_at", "confirmed_at", "last_mail_at", "last_error"] as const;

export type SubscriberStore = ReturnType<typeof createSubscriberStore>;

export function createSubscriberStore(database: Database) {
  const tables = database.tables<SubscriberTables>();

  /** One request, in the unit of its caller; answers the id of a subscriber that is new. */
  async function settle(tx: Tx, { key, mailbox, email }: Address, components: string, at: number): Promise<number | undefined> {
    const { asked } = await tx
      .selectFrom("status_mails")
      .innerJoin("status_subscribers", "status_subscribers.id", "status_mails.subscriber_id")
      .select((row) => row.fn.countAll<number>().as("asked"))
      .where("mailbox", "=", mailbox)
      .where("notice_id", "is", null)
      .where("status_mails.created_at", ">", at - ASKED.withinMs)
      .executeTakeFirstOrThrow();
    if (Number(asked) >= ASKED.most) return undefined;
    const known = await tx.selectFrom("status_subscribers").select(["id", "confirmed_at"]).where("email_key", "=", key).executeTakeFirst();
    const expiresAt = at + CONFIRM_MS;
    const added =
      known === undefined
        ? await tx
            .insertInto("status_subscribers")
            .values({
              email,
              email_key: key,
              mailbox,
              components,
              created_at: at,
              confirmed_at: null,
              expires_at: expiresAt,
              last_mail_at: null,
              last_error: null,
            })
            .returning("id")
            .executeTakeFirstOrThrow()
        : undefined;
    const id = added?.id ?? known?.id ?? 0;
    if (known !== undefined && known.confirmed_at === null) {
      await tx.updateTable("status_subscribers").set({ components, expires_at: expiresAt }).where("id", "=", id).execute();
    }
    await tx
      .insertInto("status_mails")
      .values(newConfirmation(id, components, at))
      .execute();
    return added?.id;
  }

  async function removeAll(tx: Tx, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await tx.deleteFrom("status_subscribers").where("id", "in", ids).returning("id").execute();
    return rows.map(({ id }) => id);
  }

  async function count(tx: Tx): Promise<{ pending: number; confirmed: number }> {
    const all = tx.selectFrom("status_subscribers").select((row) => row.fn.countAll<number>().as("total"));
    const pending = await all.where("confirmed_at", "is", null).executeTakeFirstOrThrow();
    const confirmed = await all.where("confirmed_at", "is not", null).executeTakeFirstOrThrow();
    return { pending: Number(pending.total), confirmed: Number(confirmed.total) };
  }

  async function tokenIn(tx: Tx, hash: string): Promise<{ token: Token | undefined; subscriber: Subscriber | undefined }> {
    const row = await tx.selectFrom("status_subscriber_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();
    if (row === undefined) return { token: undefined, subscriber: undefined };
    const found = await tx.selectFrom("status_subscribers").select(SHOWN).where("id", "=", row.subscriber_id).executeTakeFirst();
    return { token: tokenFromRow(row), subscriber: found && subscriberFromRow(found) };
  }

  return {
    count: () => count(tables.read),

    async list({ status, q, limit, offset }: Listed): Promise<{ subscribers: Subscriber[]; total: number }> {
      let matching = tables.read.selectFrom("status_subscribers");
      if (status !== undefined) matching = matching.where("confirmed_at", status === "pending" ? "is" : "is not", null);
      // Not LIKE: what is looked for may have its signs.
      if (q !== undefined && q !== "") matching = matching.where(sql<boolean>`REPLACE(email_key, ${q.toLowerCase()}, '') <> email_key`);
      const rows = await matching.select(SHOWN).orderBy("id", "desc").limit(limit).offset(offset).execute();
      const { total } = await matching.select((row) => row.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      return { subscribers: rows.map(subscriberFromRow), total: Number(total) };
    },

    /** The same work for everybody who asks. */
    async request({ email }: Address, components: readonly number[], at: Date): Promise<void> {
      const row = { email, components: idsToText(components), created_at: at.getTime() };
      await tables.write((tx) => tx.insertInto("status_subscribe_requests").values(row).execute());
    },

    /** Makes subscribers and mails of requests; answers the ids of new subscribers, and whether there may be more. */
    async settleRequests(): Promise<{ created: number[]; more: boolean }> {
      const waiting = await tables.read.selectFrom("status_subscribe_requests").select("id").orderBy("id").limit(BATCH).execute();
      if (waiting.length === 0) return { created: [], more: false };
      const created = await tables.write(async (tx) => {
        const ids = waiting.map(({ id }) => id);
        // Whoever deletes one owns it.
        const mine = await tx.deleteFrom("status_subscribe_requests").where("id", "in", ids).returningAll().execute();
        const made: number[] = [];
        for (const { email, components, created_at: at } of mine.toSorted((a, b) => a.id - b.id)) {
          const address = readAddress(email);
          const id = "fault" in address ? undefined : await settle(tx, address, components, at);
          if (id !== undefined) made.push(id);
        }
        return made;
      });
      return { created, more: waiting.length === BATCH };
    },

    token: (hash: string) => tokenIn(tables.read, hash),

    /** What `decide` makes of a token is done in the same unit. */
    async use<Result>(
      hash: string,
      decide: (found: { token: Token | undefined; subscriber: Subscriber | undefined }) => {
        result: Result;
        act: "confirm" | "remove" | null;
      },
      at: Date,
    ): Promise<Result> {
      return tables.write(async (tx) => {
        const found = await tokenIn(tx, hash);
        const { result, act } = decide(found);
        const { token } = found;
        if (act === null || token === undefined) return result;
        await tx.updateTable("status_subscriber_tokens").set({ used_at: at.getTime() }).where("hash", "=", hash).execute();
        if (act === "remove") await removeAll(tx, [token.subscriberId]);
        else {
          await tx
            .updateTable("status_subscribers")
            .set((set) => ({
              components: idsToText(token.components),
              expires_at: null,
              // Those who change their choice are confirmed already.
              confirmed_at: set.fn.coalesce("confirmed_at", sql.lit(at.getTime())),
            }))
            .where("id", "=", token.subscriberId)
            .execute();
        }
        return result;
      });
    },

    /** Answers whether it was there. */
    async remove(id: number): Promise<boolean> {
      return (await tables.write((tx) => removeAll(tx, [id]))).length > 0;
    },

    /** Forgets some of those who did not confirm in time, or are too many; answers who. */
    async forgetUnconfirmed(now: Date): Promise<number[]> {
      const pending = tables.read.selectFrom("status_subscribers").select("id").where("confirmed_at", "is", null);
      const late = await pending.where("expires_at", "<=", now.getTime()).orderBy("expires_at").limit(BATCH).execute();
      const excess = late.length > 0 ? 0 : (await count(tables.read)).pending - MOST_PENDING;
      const crowded = excess <= 0 ? [] : await pending.orderBy("id").limit(Math.min(excess, BATCH)).execute();
      const ids = [...late, ...crowded].map(({ id }) => id);
      if (ids.length === 0) return [];
      return tables.write(async (tx) => {
        const stillPending = await tx
          .selectFrom("status_subscribers")
          .select("id")
          .where("id", "in", ids)
          .where("confirmed_at", "is", null)
          .execute();
        return removeAll(
          tx,
          stillPending.map(({ id }) => id),
        );
      });
    },

    /** Deletes some tokens that expired long ago; answers whether there may be more. */
    async forgetTokens(now: Date): Promise<boolean> {
      const rows = await tables.read
        .selectFrom("status_subscriber_tokens")
        .select("hash")
        .where("expires_at", "<", now.getTime() - EXPIRED_KEPT_MS)
        .limit(BATCH)
        .execute();
      const hashes = rows.map(({ hash }) => hash);
      if (hashes.length === 0) return false;
      await tables.write((tx) => tx.deleteFrom("status_subscriber_tokens").where("hash", "in", hashes).execute());
      return hashes.length === BATCH;
    },
  };
}
