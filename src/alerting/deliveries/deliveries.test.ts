import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { DELIVERED, openDeliveries, type OpenedDeliveries, REFUSED, type Sent } from "../../../test/support/deliveries.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import type { Database } from "../../storage/database.ts";
import { CHANNEL_GONE, CHANNEL_OFF, FIRING_NOT_SENT } from "./rows.ts";

onBothDatabases(({ name, create }) => {
  async function open(context: TestContext): Promise<OpenedDeliveries & { clock: FakeClock; database: Database }> {
    const clock = createFakeClock();
    const database = await create();
    const opened = await openDeliveries(database, clock);
    context.after(opened.stop);
    return { ...opened, clock, database };
  }

  describe("deliveries", () => {
    it("go out at once, one for each channel, with their id as the key", async (context) => {
      const { outbox, put, sent, noted, settled } = await open(context);
      const made = await put(7, "alert.fired", [1, 2]);
      await until(() => settled.length === 2);
      assert.deepEqual(
        sent.map(({ key, channelId }) => [Number(key), channelId]).toSorted(),
        made.map(({ id, channelId }) => [id, channelId]).toSorted(),
      );
      assert.deepEqual(noted.toSorted(), [
        [1, "delivered"],
        [2, "delivered"],
      ]);
      const [record] = await outbox.of(7);
      assert.partialDeepStrictEqual(record, {
        alert_id: 7,
        channel_id: 1,
        event: "alert.fired",
        escalation: null,
        because: "rule 1",
        replay_of: null,
        status: "sent",
        attempts: 1,
        next_attempt_at: null,
        last_status_code: 200,
        last_error: null,
        sent_at: "2026-03-01T12:00:00.000Z",
      });
    });

    it("are not made when the unit that orders them fails, nor without a channel", async (context) => {
      const { outbox, put, database, sent, passUntil } = await open(context);
      assert.deepEqual(await put(1, "alert.fired", []), []);
      const order = { alertId: 1, targets: [{ channelId: 1, notifyOnResolve: true, because: "" }], escalation: null, at: new Date(0) };
      const failed = database.tables<object>().write(async (tx) => {
        await outbox.put(tx, {
          ...order,
          notification: { event: "alert.fired", alert: undefined as never, escalation: null, timestamp: "" },
        });
        throw new Error("no");
      });
      await assert.rejects(failed, /no/);
      await put(2, "alert.fired", [1]);
      await passUntil(() => sent.length > 0);
      assert.deepEqual(
        sent.map(({ alertId }) => alertId),
        [2],
      );
    });

    it("are tried again by the schedule, as long as Retry-After asks, and then failed", async (context) => {
      const { outbox, put, sent, settled, behaviour, passUntil } = await open(context);
      behaviour.send = async ({ alertId }) => ({ ...REFUSED, retryAfterMs: alertId === 2 && sent.length < 4 ? 600_000 : null });
      await put(1, "alert.fired", [1]);
      await put(2, "alert.fired", [2]);
      await passUntil(() => settled.length === 2);
      // The clock of the test may run ahead of a real database, so nothing comes too early here; that nothing is late, dispatcher.test.ts says.
      const waitsOf = (id: number): number[] => {
        const times = sent.filter(({ alertId }) => alertId === id).map(({ atMs }) => atMs);
        return times.slice(1).map((atMs, index) => (atMs - (times[index] ?? 0)) / 1000);
      };
      const wanted = [30, 60, 120, 240];
      assert.equal(waitsOf(1).length, wanted.length);
      waitsOf(1).forEach((wait, index) => assert.ok(wait >= (wanted[index] ?? 0), `attempt ${index + 2} after ${wait} s`));
      assert.ok((waitsOf(2)[0] ?? 0) >= 600, `asked for ten minutes, got ${waitsOf(2)}`);
      const [record] = await outbox.of(1);
      assert.partialDeepStrictEqual(record, { status: "failed", attempts: 5, last_status_code: 503, last_error: "It answered 503." });
    });

    it("do not wait for the time of a clock that was set back", async (context) => {
      const { put, sent, behaviour, passUntil, clock } = await open(context);
      behaviour.send = async () => REFUSED;
      await put(1, "alert.fired", [1]);
      await passUntil(() => sent.length === 1);
      for (const hours of [0.5, 2]) {
        clock.jump(new Date(clock.now().getTime() - hours * 3_600_000));
        const [startedMs, count] = [clock.monotonicMs(), sent.length];
        await passUntil(() => sent.length > count);
        const waitedMs = clock.monotonicMs() - startedMs;
        assert.ok(waitedMs < 200_000, `tried again after ${waitedMs} ms`);
      }
    });

    it("of an alert and channel stay in order, while other alerts of the channel are sent", async (context) => {
      const { put, sent, behaviour, passUntil, settled } = await open(context);
      let isDown = true;
      behaviour.send = async ({ alertId }) => (isDown && alertId === 1 ? REFUSED : DELIVERED);
      await put(1, "alert.fired", [1]);
      await put(1, "alert.resolved", [1]);
      await put(2, "alert.fired", [1]);
      await put(2, "alert.resolved", [1]);
      await until(() => settled.length === 2);
      isDown = false;
      await passUntil(() => settled.length === 4);
      const short = ({ alertId, event }: Sent): string => `${alertId} ${event}`;
      assert.deepEqual(sent.map(short).slice(0, 3), ["1 alert.fired", "2 alert.fired", "2 alert.resolved"]);
      assert.deepEqual(sent.map(short).slice(3), ["1 alert.fired", "1 alert.resolved"]);
    });

    it("do not send the end of what was never sent", async (context) => {
      const { outbox, put, sent, behaviour, passUntil, settled } = await open(context);
      behaviour.send = async () => REFUSED;
      await put(1, "alert.fired", [1]);
      await put(1, "alert.resolved", [1]);
      await passUntil(() => settled.length === 2);
      assert.equal(sent.filter(({ event }) => event === "alert.resolved").length, 0);
      assert.partialDeepStrictEqual((await outbox.of(1))[1], { status: "failed", attempts: 0, last_error: FIRING_NOT_SENT });
    });

    it("know which channels were notified and ask for the end", async (context) => {
      const { outbox, put, behaviour, passUntil, settled } = await open(context);
      behaviour.send = async ({ channelId }) => (channelId === 2 ? REFUSED : DELIVERED);
      await put(1, "alert.fired", [1, 2]);
      await put(1, "alert.fired", [3], { notifyOnResolve: false });
      assert.deepEqual(await outbox.notified(1), [1, 2]);
      await passUntil(() => settled.length === 3);
      assert.deepEqual(await outbox.notified(1), [1]);
      assert.deepEqual(await outbox.notified(2), []);
    });

    it("wait a day for a channel that is off, and are given up when it is deleted", async (context) => {
      const { outbox, put, sent, channels, clock, settled } = await open(context);
      channels.set(1, { enabled: false });
      await put(1, "alert.fired", [1]);
      await put(2, "alert.fired", [1]);
      await clock.advance(3000);
      assert.equal(sent.length, 0);
      clock.jump(new Date(clock.now().getTime() + 23 * 3_600_000));
      await put(3, "alert.fired", [1]);
      await clock.advance(3000);
      assert.equal(settled.length, 0);
      clock.jump(new Date(clock.now().getTime() + 3_600_000));
      await turnUntil(clock, () => settled.length === 2, { stepMs: 1000, mostMs: 60_000 });
      assert.deepEqual(
        settled.map(({ error }) => error),
        [CHANNEL_OFF, CHANNEL_OFF],
      );
      channels.delete(1);
      await turnUntil(clock, () => settled.length === 3, { stepMs: 1000, mostMs: 60_000 });
      assert.partialDeepStrictEqual((await outbox.of(3))[0], { status: "failed", last_error: CHANNEL_GONE, attempts: 0 });
    });

    it("are resumed by the next process, which knows what became of those before", async (context) => {
      const first = await open(context);
      first.behaviour.send = async ({ alertId }) => (alertId === 1 ? REFUSED : DELIVERED);
      await first.put(1, "alert.fired", [1], { escalation: { runId: 4, level: 0 } });
      await first.put(2, "alert.fired", [2], { escalation: { runId: 4, level: 1 } });
      await until(() => first.settled.length === 1 && first.sent.some(({ channelId }) => channelId === 1));
      await first.stop();
      const second = await openDeliveries(first.database, first.clock);
      context.after(second.stop);
      const [sent] = first.settled;
      assert.deepEqual(
        await second.outbox.outcomes([1, 2, 3]),
        new Map<number, unknown>([
          [1, "pending"],
          [2, sent],
        ]),
      );
      await second.passUntil(() => second.settled.length === 1);
      assert.partialDeepStrictEqual(second.settled[0], { channelId: 1, escalation: { runId: 4, level: 0 }, status: "sent", error: null });
      assert.equal(second.sent[0]?.key, first.sent.find(({ channelId }) => channelId === 1)?.key);
    });

    it("are kept for 90 days, also behind one from a clock that was ahead", async (context) => {
      const { outbox, put, settled, clock, database } = await open(context);
      await put(1, "alert.fired", [1]);
      await put(2, "alert.fired", [1]);
      await until(() => settled.length === 2);
      const ahead = clock.now().getTime() + 400 * 86_400_000;
      await database.tables<object>().write((tx) => sql`UPDATE deliveries SET created_at = ${ahead} WHERE alert_id = 1`.execute(tx));
      clock.jump(new Date(clock.now().getTime() + 91 * 86_400_000));
      const isGone = async (): Promise<boolean> => (await outbox.of(1)).length + (await outbox.of(2)).length === 0;
      await turnUntil(clock, isGone, { stepMs: 600_000, mostMs: 6 * 3_600_000 });
    });

    it("are kept for 90 days, and while their alert is active", async (context) => {
      const { outbox, put, settled, clock, database } = await open(context);
      await database.tables<object>().write((tx) =>
        sql`INSERT INTO alerts (id, source, event, entity_type, entity_id, severity, status, fired_at, last_raised_at, notified, evaluations, persists,
          entity_name, message, parents, labels, channels, tags, details)
        VALUES (3, 'container', 'down', 'container', '1', 'critical', 'active', 0, 0, 1, 1, 0, 'a', '', '[]', '{}', '[]', '[]', '{}')`.execute(
          tx,
        ),
      );
      await put(3, "alert.fired", [1]);
      await put(1, "alert.fired", [1]);
      await until(() => settled.length === 2);
      clock.jump(new Date(clock.now().getTime() + 89 * 86_400_000));
      await put(2, "alert.fired", [1]);
      await clock.advance(120_000);
      assert.equal((await outbox.of(1)).length, 1);
      clock.jump(new Date(clock.now().getTime() + 2 * 86_400_000));
      await turnUntil(clock, async () => (await outbox.of(1)).length === 0, { stepMs: 600_000, mostMs: 6 * 3_600_000 });
      assert.equal((await outbox.of(2)).length, 1);
      assert.equal((await outbox.of(3)).length, 1);
    });
  });

  // A file has one program.
  if (name === "postgresql")
    describe("deliveries of two programs that share the database", () => {
      it("go out once", async (context) => {
        const first = await open(context);
        const second = await openDeliveries(first.database, first.clock);
        context.after(second.stop);
        const slowly = async (): Promise<typeof DELIVERED> => (await new Promise((resolve) => setImmediate(resolve)), DELIVERED);
        first.behaviour.send = slowly;
        second.behaviour.send = slowly;
        for (let alertId = 1; alertId <= 100; alertId += 1) {
          await (alertId % 2 === 0 ? first : second).put(alertId, "alert.fired", [1]);
          await first.clock.advance(1000);
        }
        // Not faster: a lease would be over while the database is still at it.
        await turnUntil(first.clock, () => first.settled.length + second.settled.length === 100, {
          stepMs: 1000,
          mostMs: 120_000,
          everyMs: 100,
        });
        const keys = [...first.sent, ...second.sent].map(({ key }) => key);
        assert.equal(new Set(keys).size, keys.length);
      });

      it("go out though a program whose clock was ahead leased their channel and ended", async (context) => {
        const { put, settled, clock, database, passUntil } = await open(context);
        const ahead = clock.now().getTime() + 3_600_000;
        await database
          .tables<object>()
          .write((tx) =>
            sql`INSERT INTO outbox_lanes (outbox, lane, owner, leased_until) VALUES ('deliveries', 1, 'gone', ${ahead})`.execute(tx),
          );
        const before = clock.now().getTime();
        await put(1, "alert.fired", [1]);
        await passUntil(() => settled.length === 1);
        assert.ok(clock.now().getTime() - before < 600_000);
      });
    });
});
