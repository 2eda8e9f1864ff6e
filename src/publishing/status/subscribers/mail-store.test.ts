import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import {
  incidentNews,
  join,
  mailsTo,
  newsTo,
  openReceiver,
  openSubscribers,
  tokenIn,
} from "../../../../test/support/status-subscribers.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { createMailStore } from "./mail-store.ts";
import type { SubscriberTables } from "./rows.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

const ADA = "ada@example.com";

onBothDatabases(({ create }) => {
  it("keeps one link of a confirmation that is tried again, and one for all news of a subscriber", async (context) => {
    const receiver = await openReceiver(context);
    const database = await create();
    const world = await openSubscribers(context, database, { receiver });
    const tokens = async () => {
      const { read } = database.tables<SubscriberTables>();
      return read.selectFrom("status_subscriber_tokens").select(["purpose", "expires_at"]).orderBy("purpose").execute();
    };
    const purposes = async () => (await tokens()).map(({ purpose }) => purpose);
    receiver.refused.add(ADA);
    await world.send("POST", "/status/subscribe", { json: { email: ADA } });
    await world.passUntil(async () => JSON.stringify(await world.list()).includes("refused"));
    receiver.refused.delete(ADA);
    await world.passUntil(() => receiver.received.length === 1);
    assert.deepEqual(await purposes(), ["confirm"]);
    await world.send("POST", `/status/confirm?token=${tokenIn(receiver.received[0])}`);

    await world.announce(incidentNews(1));
    await world.passUntil(() => newsTo(receiver, ADA).length === 1);
    const [, first] = await tokens();
    await world.announce(incidentNews(2));
    await world.passUntil(() => newsTo(receiver, ADA).length === 2);
    const [, second] = await tokens();
    assert.deepEqual(await purposes(), ["confirm", "unsubscribe"]);
    assert.ok(Number(second?.expires_at) > Number(first?.expires_at));
    await world.stop();

    // A link that was sent before a restart is still good.
    const restarted = await openSubscribers(context, database, { receiver, clock: world.clock });
    await join(restarted, receiver, "grace@example.com");
    await restarted.announce(incidentNews(3));
    await restarted.passUntil(() => newsTo(receiver, ADA).length === 3);
    const sent = [...new Set(mailsTo(receiver, ADA).slice(1).map(tokenIn))];
    const graces = tokenIn(mailsTo(receiver, "grace@example.com").at(-1));
    assert.deepEqual([sent.length, sent.includes(graces)], [2, false]);
    assert.match((await restarted.send("POST", `/status/unsubscribe?token=${sent[0]}`)).text, /You are unsubscribed/);
    assert.partialDeepStrictEqual(await restarted.list(), { total: 1, subscribers: [{ email: "grace@example.com" }] });
  });

  it("deletes old notices that are behind hundreds from a clock that was ahead", async () => {
    const database = await create();
    const { read, write } = database.tables<SubscriberTables>();
    const daysLater = [...Array.from({ length: 500 }, () => 400), -400, -1];
    const rows = daysLater.map((days, index) => ({
      ...{ notice_key: `incident:${index}:1`, body: "{}", components: "", last_subscriber_id: 0 },
      created_at: NOW.getTime() + days * DAY_MS,
      sent_at: NOW.getTime() + days * DAY_MS,
    }));
    await write((tx) => tx.insertInto("status_notices").values(rows).execute());
    const store = createMailStore(database);
    while (await store.prune(NOW));
    const left = await read.selectFrom("status_notices").select("created_at").execute();
    assert.deepEqual(
      left.map(({ created_at }) => Number(created_at)),
      [NOW.getTime() - DAY_MS],
    );
  });
});
