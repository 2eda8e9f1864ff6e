import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { MINUTE_MS } from "../../../contract/time.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import {
  BASE_URL,
  incidentNews,
  join,
  mailsTo,
  maintenanceRecord,
  newsTo,
  openReceiver,
  openSubscribers,
  readable,
} from "../../../../test/support/status-subscribers.ts";
import { until } from "../../../../test/support/until.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { Event } from "../../../events.ts";
import type { SubscriberTables } from "./rows.ts";

const ADA = "ada@example.com";
const GRACE = "grace@example.com";
const noTest = (_title: string, _test: (context: TestContext) => Promise<void>): void => undefined;

onBothDatabases(({ create, name }) => {
  describe("news of incidents", () => {
    it("go to those who subscribed to these components, once, in order, with public words", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver });
      await join(world, receiver, ADA, [2]);
      await join(world, receiver, GRACE);
      const evil = "It is\n<script>alert(1)</script>\r\nBcc: all@example.com";
      await world.announce(incidentNews(1, { components: [1, 3], message: evil }));
      await world.announce(incidentNews(1, { components: [1, 3], message: evil }));
      await world.announce(incidentNews(2, { components: [], title: "Zürich\r\nX-Evil: 1" }));
      await world.announce(incidentNews(3, { components: [2], status: "resolved", message: "Over." }));
      await world.announce(incidentNews(4, { components: [3], title: "Nobody's business" }));
      await world.passUntil(
        async () =>
          newsTo(receiver, ADA).length === 2 && newsTo(receiver, GRACE).length === 3 && (await world.list())["mails_waiting"] === 0,
      );
      assert.deepEqual(newsTo(receiver, GRACE)[0], "[Shop] Investigating: Payments fail");
      assert.deepEqual(newsTo(receiver, GRACE)[2], "[Shop] Resolved: Payments fail");
      assert.deepEqual(newsTo(receiver, ADA)[1], "[Shop] Resolved: Payments fail");
      const [, first, second] = mailsTo(receiver, GRACE);
      const text = readable(first);
      assert.match(text, /Affected: Checkout\r\nTime: 1 March 2026, 12:00 UTC\r\n/);
      assert.ok(text.includes(`Open the status page: ${BASE_URL}/status/`));
      assert.match(text, /It is<br>&#60;script&#62;/);
      assert.doesNotMatch(text, /Ledger/);
      assert.match(first?.raw ?? "", /^References: <status-incident-7@binnacle\.invalid>\r$/m);
      const head = (mail: typeof first): string => (mail?.raw ?? "").split("\r\n\r\n")[0] ?? "";
      assert.doesNotMatch(head(first) + head(second), /^(Bcc|X-Evil):/im);
    });

    it("lead to the domain of the page, once it has one", async (context) => {
      const receiver = await openReceiver(context);
      const world = await openSubscribers(context, await create(), { receiver, domain: "status.shop.example" });
      await join(world, receiver, ADA);
      await world.announce(incidentNews(1, { components: [1] }));
      await world.passUntil(() => newsTo(receiver, ADA).length === 1);
      const received = mailsTo(receiver, ADA);
      const mails = received.map(readable);
      assert.match(mails[0] ?? "", /https:\/\/status\.shop\.example\/status\/confirm\?token=/);
      assert.match(received[1]?.raw ?? "", /^List-Unsubscribe:\s+<https:\/\/status\.shop\.example\/status\/unsubscribe\?token=[\w-]+>\r$/m);
      assert.ok(mails[1]?.includes("Open the status page: https://status.shop.example/\r\n"));
      assert.ok(!mails.join("").includes(BASE_URL));
    });

    it("wait while the mail server is gone, over a restart, and arrive once", async (context) => {
      const database = await create();
      const receiver = await openReceiver(context);
      const before = await openSubscribers(context, database, { receiver });
      for (const email of [ADA, GRACE]) await join(before, receiver, email);
      await receiver.stop();
      // Written with what it reports, and then the process is killed: nobody wakes anything.
      await database.tables().write((tx) => before.subscribers.put(tx, incidentNews(1)));
      await before.stop();

      const refusing = await openReceiver(context);
      refusing.refused.add(ADA);
      const second = await openSubscribers(context, database, { receiver: refusing });
      await second.passUntil(() => newsTo(refusing, GRACE).length === 1);
      await second.passUntil(async () => JSON.stringify(await second.list()).includes("refused ada@example.com (550)"));
      await second.stop();

      const working = await openReceiver(context);
      const third = await openSubscribers(context, database, { receiver: working });
      await third.passUntil(() => newsTo(working, ADA).length === 1);
      await third.announce(incidentNews(2));
      await third.passUntil(() => newsTo(working, ADA).length === 2 && newsTo(working, GRACE).length === 1);
      await third.passUntil(async () => (await third.list())["mails_waiting"] === 0);
      assert.deepEqual([newsTo(refusing, GRACE).length, newsTo(working, ADA).length, newsTo(working, GRACE).length], [1, 2, 1]);
      assert.ok(!JSON.stringify(await third.list()).includes("refused"));
    });

    it("are given up after five attempts, which is shown, and delay nobody", async (context) => {
      const database = await create();
      const receiver = await openReceiver(context);
      const before = await openSubscribers(context, database, { receiver });
      await join(before, receiver, ADA);
      await before.stop();
      const hanging = await openReceiver(context, { hangs: true });
      const world = await openSubscribers(context, database, { receiver: hanging });
      const startedMs = performance.now();
      await world.announce(incidentNews(1));
      assert.equal((await world.send("POST", "/status/subscribe", { json: { email: GRACE } })).status, 202);
      await until(async () => (await world.list())["total"] === 2);
      assert.ok(performance.now() - startedMs < 9000);
      await world.stop();

      const gone = await openReceiver(context);
      await gone.stop();
      const last = await openSubscribers(context, database, { receiver: gone });
      await last.passUntil(async () => (await last.list())["mails_waiting"] === 0);
      const { subscribers } = (await last.list()) as { subscribers: { last_error: string }[] };
      assert.match(subscribers[0]?.last_error ?? "", /refused the connection/);
      assert.match(subscribers[1]?.last_error ?? "", /refused the connection/);
      const rows = await database
        .tables<SubscriberTables>()
        .read.selectFrom("status_mails")
        .select(["status", "attempts"])
        .orderBy("id", "desc")
        .limit(2)
        .execute();
      assert.deepEqual(
        rows.map(({ status, attempts }) => `${status} ${attempts}`),
        ["failed 5", "failed 5"],
      );
      assert.ok(last.log.lines.some(({ message }) => message.startsWith("mails of the status page were given up")));
      assert.doesNotMatch(JSON.stringify(last.log.lines), /@example/);
    });

    // One file has one program.
    const onShared = name === "postgresql" ? it : noTest;
    onShared("are sent once by two processes that share a database", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const one = await openSubscribers(context, database, { receiver });
      const people = Array.from({ length: 12 }, (_, index) => `p${index}@example.com`);
      for (const email of people) await join(one, receiver, email);
      const other = await openSubscribers(context, database, { receiver, clock: one.clock });
      for (let update = 1; update <= 5; update += 1) {
        await Promise.all([one.announce(incidentNews(update)), other.announce(incidentNews(update))]);
      }
      await one.passUntil(
        async () => (await one.list())["mails_waiting"] === 0 && people.every((email) => newsTo(receiver, email).length >= 5),
        // What one of them sends must not outlast its turn, and mails are sent in real time.
        50,
      );
      assert.deepEqual(
        people.map((email) => newsTo(receiver, email).length),
        people.map(() => 5),
      );
    });

    it("are not sent when they are old, nor to those who came later", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const world = await openSubscribers(context, database, { receiver });
      await join(world, receiver, ADA);
      await world.stop();
      await database.tables().write((tx) => world.subscribers.put(tx, incidentNews(1)));
      const clock = createFakeClock(new Date(world.clock.now().getTime() + 7 * 60 * MINUTE_MS));
      const late = await openSubscribers(context, database, { receiver, clock });
      await late.announce(incidentNews(2));
      await clock.advance(1000);
      await join(late, receiver, GRACE);
      await late.passUntil(() => newsTo(receiver, ADA).length === 1);
      await late.passUntil(async () => (await late.list())["mails_waiting"] === 0);
      assert.deepEqual([newsTo(receiver, ADA).length, newsTo(receiver, GRACE).length], [1, 0]);
    });

    // Once is enough for so many.
    const onOne = name === "sqlite" ? it : noTest;
    onOne("go to many in pieces, of which each is made once", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const world = await openSubscribers(context, database, { receiver: { host: receiver.host, port: 1 } });
      const many = Array.from({ length: 3000 }, (_, index) => ({
        email: `p${index}@example.com`,
        email_key: `p${index}@example.com`,
        mailbox: `p${index}@example.com`,
        components: index % 3 === 0 ? "[2]" : "[]",
        created_at: 0,
        confirmed_at: 0,
        expires_at: null,
        last_mail_at: null,
        last_error: null,
      }));
      for (let from = 0; from < many.length; from += 1000) {
        await database.tables<SubscriberTables>().write((tx) =>
          tx
            .insertInto("status_subscribers")
            .values(many.slice(from, from + 1000))
            .execute(),
        );
      }
      await database.tables().write((tx) => world.subscribers.put(tx, incidentNews(1)));
      const mails = async (): Promise<number> => {
        const rows = await database.tables<SubscriberTables>().read.selectFrom("status_mails").select("subscriber_id").distinct().execute();
        return rows.length;
      };
      assert.equal(await mails(), 0, "a notice to everybody costs no more than a notice to one");
      world.subscribers.wake();
      world.subscribers.wake();
      await until(async () => (await mails()) === 2000);
      await world.clock.advance(10_000);
      const all = await database.tables<SubscriberTables>().read.selectFrom("status_mails").select("id").execute();
      assert.equal(all.length, 2000);
    });
  });

  describe("news of maintenance", () => {
    it("report that it is planned, moved, started and ended, also over our own restart", async (context) => {
      const receiver = await openReceiver(context);
      const database = await create();
      const clock = createFakeClock();
      const windows: MaintenanceRecord[] = [];
      let world = await openSubscribers(context, database, { receiver, clock, windows });
      const restart = async (): Promise<void> => {
        await world.stop();
        world = await openSubscribers(context, database, { receiver, clock, windows });
      };
      await join(world, receiver, ADA, [1]);
      await join(world, receiver, GRACE, [2]);
      const news = async (count: number): Promise<string | undefined> => {
        await world.passUntil(() => newsTo(receiver, ADA).length >= count);
        await restart();
        await clock.advance(20_000);
        assert.equal(newsTo(receiver, ADA).length, count);
        return newsTo(receiver, ADA).at(-1);
      };
      windows.push(
        maintenanceRecord(),
        maintenanceRecord({ id: 6, title: "Secret", components: [3] }),
        maintenanceRecord({ id: 8, components: [] }),
      );
      windows.push(maintenanceRecord({ id: 9, title: "Long ago", status: "ended" }));
      publish(world.bus, "maintenance.created");
      assert.equal(await news(1), "[Shop] Planned maintenance: New database");
      const text = readable(mailsTo(receiver, ADA).at(-1));
      assert.match(
        text,
        /Orders are not taken meanwhile\.\r\n\r\nAffected: Checkout\r\nBegins: 1 March 2026, 14:00 UTC\r\nEnds: 1 March 2026, 15:00 UTC\r\n/,
      );

      // Dragged about in the calendar: only where it stays is sent.
      const moved = { starts_at: "2026-03-01T13:00:00.000Z", updated_at: clock.now().toISOString() };
      windows[0] = maintenanceRecord({ ...moved, starts_at: "2026-03-01T13:30:00.000Z" });
      await clock.advance(30_000);
      windows[0] = maintenanceRecord({ ...moved, updated_at: clock.now().toISOString() });
      assert.equal(await news(2), "[Shop] Maintenance rescheduled: New database");
      assert.match(readable(mailsTo(receiver, ADA).at(-1)), /Begins: 1 March 2026, 13:00 UTC/);

      windows[0] = maintenanceRecord({ ...moved, status: "active" });
      await restart();
      assert.equal(await news(3), "[Shop] Maintenance started: New database");
      windows[0] = maintenanceRecord({ ...moved, status: "ended", ends_at: clock.now().toISOString() });
      publish(world.bus, "maintenance.ended");
      assert.equal(await news(4), "[Shop] Maintenance completed: New database");
      windows.splice(0);
      await clock.advance(2 * MINUTE_MS);
      await world.passUntil(async () => (await world.list())["mails_waiting"] === 0);
      assert.equal(newsTo(receiver, ADA).length, 4);
      assert.deepEqual(newsTo(receiver, GRACE), []);
    });

    it("report that it is cancelled, or over when it is deleted while it runs", async (context) => {
      const receiver = await openReceiver(context);
      const cables = maintenanceRecord({ id: 6, title: "Cables", status: "active", starts_at: "2026-03-01T11:00:00.000Z" });
      const windows: MaintenanceRecord[] = [];
      const world = await openSubscribers(context, await create(), { receiver, windows });
      await join(world, receiver, GRACE);
      windows.push(maintenanceRecord(), cables);
      await world.passUntil(() => newsTo(receiver, GRACE).length === 2);
      windows.splice(0);
      publish(world.bus, "maintenance.deleted");
      await world.passUntil(() => newsTo(receiver, GRACE).length === 4);
      assert.deepEqual(newsTo(receiver, GRACE).sort(), [
        "[Shop] Maintenance cancelled: New database",
        "[Shop] Maintenance completed: Cables",
        "[Shop] Maintenance started: Cables",
        "[Shop] Planned maintenance: New database",
      ]);
    });
  });
});

function publish(bus: { publish(event: Event): void }, type: "maintenance.created" | "maintenance.ended" | "maintenance.deleted"): void {
  const { created_at: _created, updated_at: _updated, ...window } = maintenanceRecord();
  bus.publish({ type, data: { ...window, agent_id: null, timestamp: "" } });
}
