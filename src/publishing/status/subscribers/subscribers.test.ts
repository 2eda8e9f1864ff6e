import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS } from "../../../contract/time.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import {
  BASE_URL,
  incidentNews,
  join,
  mailsTo,
  newsTo,
  openReceiver,
  openSubscribers,
  readable,
  tokenIn,
} from "../../../../test/support/status-subscribers.ts";
import type { Database } from "../../../storage/database.ts";
import { hashOf } from "./subscriber.ts";
import type { SubscriberTables } from "./rows.ts";

const SUBSCRIBE = "/status/subscribe";
const ADA = "ada@example.com";

onBothDatabases(({ create, name }) => {
  describe("subscribing", () => {
    it("is confirmed by a button behind a link, which programs that follow links do not click", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const world = await openSubscribers(context, database, { receiver });
      const asked = await world.send("POST", SUBSCRIBE, { json: { email: ADA, components: [2, 1, 2] } });
      assert.deepEqual([asked.status, JSON.parse(asked.text)], [202, { status: "confirmation_sent" }]);
      await world.passUntil(() => receiver.received.length === 1);
      const [mail] = receiver.received;
      const token = tokenIn(mail);
      assert.ok(readable(mail).includes(`${BASE_URL}/status/confirm?token=${token}`));
      assert.match(readable(mail), /emails about incidents and maintenance of Checkout, Search & <b>find<\/b> from Shop/);
      assert.match(readable(mail), /Search &#38; &#60;b&#62;find/);
      assert.doesNotMatch(mail?.raw ?? "", /^List-Unsubscribe/m);

      // A scanner.
      for (let times = 0; times < 3; times += 1) {
        const page = await world.send("GET", `/status/confirm?token=${token}`);
        assert.equal(page.status, 200);
        assert.equal(page.headers["cache-control"], "no-store");
        assert.match(page.text, new RegExp(`<form method="post" action="/status/confirm\\?token=${token}"><button>Confirm</button>`));
      }
      assert.partialDeepStrictEqual(await world.list(), {
        counts: { pending: 1, confirmed: 0 },
        subscribers: [{ email: ADA, status: "pending" }],
      });
      await world.announce(incidentNews(1));
      // Whoever confirms before it is spread is sent it.
      await world.passUntil(async () => (await unspreadNotices(database)) === 0 && (await world.list())["mails_waiting"] === 0);
      assert.equal(receiver.received.length, 1);

      const confirmed = await world.send("POST", `/status/confirm?token=${token}`);
      assert.deepEqual([confirmed.status, /You are subscribed/.test(confirmed.text)], [200, true]);
      assert.partialDeepStrictEqual(await world.list(), {
        counts: { pending: 0, confirmed: 1 },
        subscribers: [{ email: ADA, status: "confirmed", components: [1, 2], last_error: null }],
      });
      assert.deepEqual(
        world.events.map(({ type }) => type),
        ["subscriber.created", "subscriber.confirmed"],
      );
      assert.doesNotMatch(JSON.stringify([world.events, world.log.lines]), /ada@|example\.com/);
      // What is stored cannot be put into a link.
      const rows = await database.tables<SubscriberTables>().read.selectFrom("status_subscriber_tokens").selectAll().execute();
      assert.deepEqual(
        rows.map(({ hash }) => hash),
        [hashOf(token)],
      );
    });

    it("is answered alike for an address that is known and one that is not", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await join(world, receiver, ADA);
      const answers = [];
      for (const email of [ADA, "grace@example.com"]) answers.push(await world.send("POST", SUBSCRIBE, { json: { email } }));
      const [known, unknown] = answers.map(({ status, text, headers: { "x-request-id": _id, ...headers } }) => ({
        status,
        text,
        headers: { ...headers, date: "" },
      }));
      assert.deepEqual(known, unknown);
      await world.passUntil(() => mailsTo(receiver, ADA).length === 2 && mailsTo(receiver, "grace@example.com").length === 1);
      assert.match(readable(mailsTo(receiver, ADA)[1]), /Confirming replaces your current selection/);
      // A choice that is not confirmed changes nothing.
      assert.partialDeepStrictEqual(await world.list(), { total: 2, counts: { pending: 1, confirmed: 1 } });
    });

    it("changes the choice of who is known only when that is confirmed", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await join(world, receiver, ADA, [1]);
      await world.send("POST", SUBSCRIBE, { json: { email: "ADA@Example.COM", components: [2] } });
      await world.passUntil(() => receiver.received.length === 2);
      assert.partialDeepStrictEqual(await world.list(), { total: 1, subscribers: [{ email: ADA, components: [1] }] });
      await world.send("POST", `/status/confirm?token=${tokenIn(receiver.received[1])}`);
      assert.partialDeepStrictEqual(await world.list(), { total: 1, subscribers: [{ email: ADA, components: [2] }] });
      assert.equal(world.events.filter(({ type }) => type === "subscriber.confirmed").length, 1);
    });

    it("is forgotten after 24 hours without confirmation, and its link says so", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await world.send("POST", SUBSCRIBE, { json: { email: ADA } });
      await world.passUntil(() => receiver.received.length === 1);
      const url = `/status/confirm?token=${tokenIn(receiver.received[0])}`;
      world.clock.jump(new Date(world.clock.now().getTime() + DAY_MS));
      const late = await world.send("POST", url);
      assert.deepEqual([late.status, /valid for 24 hours/.test(late.text)], [410, true]);
      await world.passUntil(async () => (await world.list())["total"] === 0, 60_000);
      assert.equal((await world.send("GET", url)).status, 410);
      assert.equal(world.events.at(-1)?.type, "subscriber.deleted");
    });

    it("has links for one purpose and for one time", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await join(world, receiver, ADA);
      const confirm = tokenIn(receiver.received[0]);
      await world.announce(incidentNews(1));
      await world.passUntil(() => receiver.received.length === 2);
      const unsubscribe = tokenIn(receiver.received[1]);
      const post = async (purpose: string, token: string): Promise<string> => {
        const { status, text } = await world.send("POST", `/status/${purpose}?token=${encodeURIComponent(token)}`);
        return `${status} ${/<h1>(.*)<\/h1>/.exec(text)?.[1] ?? text}`;
      };
      assert.equal(await post("confirm", confirm), "200 You are subscribed");
      assert.equal(await post("confirm", unsubscribe), "404 This link is not valid here");
      assert.equal(await post("unsubscribe", confirm), "404 This link is not valid here");
      for (const wrong of ["", "x", `${confirm}x`, confirm.toLowerCase(), "a".repeat(5000), "\u0000", "<script>"]) {
        assert.equal(await post("confirm", wrong), "404 This link is not valid");
        assert.equal(await post("unsubscribe", wrong), "404 This link is not valid");
      }
      assert.equal((await world.send("POST", "/status/confirm")).status, 404);
      assert.equal(await post("unsubscribe", unsubscribe), "200 You are unsubscribed");
      assert.equal(await post("unsubscribe", unsubscribe), "200 You are unsubscribed");
      assert.equal(await post("confirm", confirm), "410 This link was already used");
      assert.equal((await world.list())["total"], 0);
    });

    it("ends by the link of a mail, or by one click in the mail program", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const world = await openSubscribers(context, database, { receiver });
      const people = ["a@example.com", "b@example.com", "c@example.com"];
      for (const email of people) await join(world, receiver, email);
      await world.announce(incidentNews(1));
      await world.passUntil(() => receiver.received.length === 6);
      const boundary = "----x";
      const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
      const requests = [
        { body: "List-Unsubscribe=One-Click" },
        { body: multipart, type: `multipart/form-data; boundary=${boundary}` },
        { body: "" },
      ];
      for (const [index, request] of requests.entries()) {
        const mail = mailsTo(receiver, people[index] ?? "")[1];
        const [, link = ""] = /^List-Unsubscribe: ?<(.+)>\r$/m.exec((mail?.raw ?? "").replace(/\r\n[ \t]+/g, "")) ?? [];
        assert.match(mail?.raw ?? "", /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
        const { pathname, search, origin } = new URL(link);
        assert.equal(origin, BASE_URL);
        // Looking is not leaving.
        const page = await world.send("GET", pathname + search);
        assert.match(page.text, /<button>Unsubscribe<\/button>/);
        assert.equal((await world.list())["total"], people.length - index);
        assert.equal((await world.send("POST", pathname + search, request)).status, 200);
        assert.equal((await world.list())["total"], people.length - index - 1);
      }
      await world.announce(incidentNews(2));
      await world.passUntil(async () => (await unspreadNotices(database)) === 0 && (await world.list())["mails_waiting"] === 0);
      assert.equal(receiver.received.length, 6);
    });

    it("refuses what is wrong, in JSON and by a form, and keeps what was typed", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      const json = async (body: unknown): Promise<unknown[]> => {
        const { status, text } = await world.send("POST", SUBSCRIBE, { json: body });
        const { error } = JSON.parse(text) as { error: { code: string; details: { path: string }[] } };
        return [status, error.code, ...error.details.map(({ path }) => path)];
      };
      assert.deepEqual(await json({ email: "a@example.com\r\nBcc: b@example.com" }), [409, "unusable_values", "email"]);
      assert.deepEqual(await json({ email: `${"a".repeat(288)}@example.com` }), [409, "unusable_values", "email"]);
      assert.deepEqual(await json({ email: 5 }), [400, "validation_failed", "email"]);
      assert.deepEqual(await json({}), [400, "validation_failed", "email"]);
      assert.deepEqual(await json({ email: "x", components: [1, 3, 99], nickname: "x" }), [
        409,
        "unusable_values",
        "email",
        "components.1",
        "components.2",
        "nickname",
      ]);
      const form = await world.send("POST", SUBSCRIBE, { form: { email: '"><b>x' } });
      assert.equal(form.status, 409);
      assert.match(form.headers["content-type"] ?? "", /^text\/html/);
      assert.match(form.text, /role="alert">The address: Must/);
      assert.match(form.text, /value="&#34;&#62;&#60;b&#62;x"/);
      assert.equal((await world.send("POST", SUBSCRIBE, { body: "email=a@b.c", type: "text/plain" })).status, 415);
      const asked = await world.send("POST", SUBSCRIBE, { form: { email: " post@bücher.example ", "component-2": "on" } });
      assert.deepEqual([asked.status, /Check your inbox/.test(asked.text)], [202, true]);
      await world.passUntil(() => receiver.received.length === 1);
      assert.match(receiver.received[0]?.raw ?? "", /^To: post@xn--bcher-kva\.example\r$/m);
      assert.partialDeepStrictEqual(await world.list(), {
        total: 1,
        subscribers: [{ email: "post@xn--bcher-kva.example", components: [2] }],
      });
    });

    it("is limited: five an hour of one address, a /64 being one, and three mails an hour to one mailbox", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      const statuses = new Map<number, number>();
      // The limit stands before the database.
      const attempts = name === "sqlite" ? 10_000 : 100;
      for (let number = 0; number < attempts; number += 1) {
        const from = `2001:db8:0:1:${(number >> 8).toString(16)}:${(number & 255).toString(16)}::1`;
        const { status } = await world.send("POST", SUBSCRIBE, { json: { email: `spam${number}@example.com` }, from });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      assert.deepEqual(Object.fromEntries(statuses), { 202: 5, 429: attempts - 5 });
      await world.passUntil(() => receiver.received.length === 5);
      for (const email of ["ada+1@example.com", "ada+2@example.com", "Ada@example.com", "ADA@EXAMPLE.com", "ada+3@example.com"]) {
        assert.equal((await world.send("POST", SUBSCRIBE, { json: { email } })).status, 202);
      }
      await world.passUntil(async () => receiver.received.length === 8 && (await world.list())["mails_waiting"] === 0);
      assert.equal((await world.list())["total"], 8);
      await world.clock.advance(3_600_000);
      await world.send("POST", SUBSCRIBE, { json: { email: "ada@example.com" } });
      await world.passUntil(() => receiver.received.length === 9);
    });

    it("is offered only with a mail server, and refused without a page; leaving is always possible", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const before = await openSubscribers(context, database, { receiver });
      assert.equal(before.subscribers.isOffered(), true);
      await join(before, receiver, ADA);
      await before.announce(incidentNews(1));
      await before.passUntil(() => newsTo(receiver, ADA).length === 1);
      assert.match((await before.send("GET", "/status/confirm")).text, /Shop/);
      await before.stop();
      const hidden = await openSubscribers(context, database, { receiver, published: false });
      assert.equal((await hidden.send("POST", SUBSCRIBE, { json: { email: ADA } })).status, 404);
      const answers = [
        await hidden.send("POST", SUBSCRIBE, { form: { email: ADA } }),
        await hidden.send("GET", "/status/confirm"),
        await hidden.send("GET", "/status/unsubscribe?token=x"),
      ];
      for (const { status, text } of answers) {
        assert.equal(status, 404);
        assert.doesNotMatch(text, /Shop/, "a page that is not published does not say whose it is");
      }
      await hidden.stop();
      const world = await openSubscribers(context, database);
      assert.equal(world.subscribers.isOffered(), false);
      const refused = await world.send("POST", SUBSCRIBE, { json: { email: ADA } });
      assert.equal(refused.status, 409);
      assert.partialDeepStrictEqual(JSON.parse(refused.text), { error: { code: "mail_unavailable" } });
      assert.equal((await world.send("POST", SUBSCRIBE, { form: { email: ADA } })).status, 409);
      await world.announce(incidentNews(2));
      assert.partialDeepStrictEqual(await world.list(), { mail: false, total: 1, mails_waiting: 0 });
      assert.equal((await world.send("POST", `/status/unsubscribe?token=${tokenIn(receiver.received[1])}`)).status, 200);
      assert.equal((await world.list())["total"], 0);
    });

    it("is shown to administrators, who find and delete", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await join(world, receiver, "ada_l@example.com");
      await world.send("POST", SUBSCRIBE, { json: { email: "grace%h@example.com" } });
      await world.passUntil(() => receiver.received.length === 2);
      const find = async (query: Record<string, unknown>): Promise<unknown> => {
        const { subscribers } = await world.routes.check("GET", "/api/v1/status/subscribers", query);
        return (subscribers as { email: string }[]).map(({ email }) => email.slice(0, 5));
      };
      assert.deepEqual(await find({}), ["grace", "ada_l"]);
      assert.deepEqual(await find({ limit: 1, offset: 1 }), ["ada_l"]);
      assert.deepEqual(await find({ status: "pending" }), ["grace"]);
      assert.deepEqual(await find({ q: "A_L" }), ["ada_l"]);
      assert.deepEqual(await find({ q: "%" }), ["grace"]);
      assert.deepEqual(await find({ q: "nobody" }), []);
      const { subscribers } = await world.list();
      const [{ id } = { id: 0 }] = subscribers as { id: number }[];
      await world.routes.check("DELETE", "/api/v1/status/subscribers/{id}", { id });
      assert.equal((await world.routes.ask("DELETE", `/api/v1/status/subscribers/${id}`)).status, 404);
      assert.equal((await world.send("POST", `/status/confirm?token=${tokenIn(receiver.received[1])}`)).status, 410);
      assert.equal((await world.list())["total"], 1);
    });
  });
});

async function unspreadNotices(database: Database): Promise<number> {
  const rows = await database
    .tables<SubscriberTables>()
    .read.selectFrom("status_notices")
    .select("id")
    .where("sent_at", "is", null)
    .execute();
  return rows.length;
}
