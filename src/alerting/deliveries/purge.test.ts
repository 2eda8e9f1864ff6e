import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { sql } from "kysely";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { DELIVERED, openDeliveries, type OpenedDeliveries } from "../../../test/support/deliveries.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import type { Database } from "../../storage/database.ts";
import type { SendOutcome } from "../vocabulary.ts";
import type { DeliveryTables } from "./rows.ts";
import { createDeliveryStore } from "./store.ts";

onBothDatabases(({ create }) => {
  async function open(context: TestContext): Promise<OpenedDeliveries & { clock: FakeClock; database: Database }> {
    const clock = createFakeClock();
    const database = await create();
    const opened = await openDeliveries(database, clock);
    context.after(opened.stop);
    return { ...opened, clock, database };
  }

  async function countsOf(database: Database): Promise<[deliveries: number, notifications: number]> {
    const { read } = database.tables<DeliveryTables>();
    const deliveries = await read.selectFrom("deliveries").select("id").execute();
    const notifications = await read.selectFrom("delivery_notifications").select("id").execute();
    return [deliveries.length, notifications.length];
  }

  it("what was sent of a deleted alert goes with it, and nothing of the others", async (context) => {
    const { outbox, put, settled, database } = await open(context);
    await put(7, "alert.fired", [1, 2]);
    await put(8, "alert.fired", [1]);
    await until(() => settled.length === 3);
    await database.tables<object>().write((tx) => outbox.purgeAlerts(tx, [7]));
    assert.deepEqual(await countsOf(database), [1, 1]);
    assert.equal((await outbox.of(8)).length, 1);
  });

  it("what waits to be sent of it is sent in order, and then deleted", async (context) => {
    const { outbox, put, settled, sent, behaviour, database, clock } = await open(context);
    const held = Promise.withResolvers<SendOutcome>();
    behaviour.send = ({ event }) => (event === "alert.fired" ? held.promise : Promise.resolve(DELIVERED));
    await put(7, "alert.fired", [1]);
    await until(() => sent.length === 1);
    await put(7, "alert.resolved", [1]);
    await database.tables<object>().write((tx) => outbox.purgeAlerts(tx, [7]));
    assert.deepEqual(await countsOf(database), [2, 2]);
    assert.deepEqual(await outbox.of(7), []);
    held.resolve(DELIVERED);
    await turnUntil(clock, () => settled.length === 2, { stepMs: 1_000, mostMs: 60_000 });
    assert.deepEqual(
      sent.map(({ event, alertId }) => [event, alertId]),
      [
        ["alert.fired", 7],
        ["alert.resolved", 7],
      ],
    );
    await turnUntil(clock, async () => (await countsOf(database)).every((count) => count === 0), { stepMs: 31_000, mostMs: 310_000 });
  });

  it("what no delivery refers to any more is found at once behind 20,000 that are kept", async () => {
    const database = await create();
    const numbers = sql`WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)`;
    await database.tables<object>().write(async (tx) => {
      await sql`INSERT INTO alerts (id, source, event, entity_type, entity_id, severity, status, fired_at, last_raised_at, notified, evaluations, persists,
          entity_name, message, parents, labels, channels, tags, details)
        VALUES (1, 'container', 'down', 'container', '1', 'critical', 'active', 0, 0, 1, 1, 0, 'a', '', '[]', '{}', '[]', '[]', '{}')`.execute(
        tx,
      );
      await sql`INSERT INTO delivery_notifications (id, body, created_at) ${numbers} SELECT number, '{}', 1 FROM numbers`.execute(tx);
      await sql`INSERT INTO delivery_notifications (id, body, created_at) VALUES (20001, '{}', 1), (20002, '{}', 100), (20003, '{}', 1)`.execute(
        tx,
      );
      await sql`INSERT INTO deliveries (notification_id, alert_id, channel_id, event, notify_on_resolve, because, status, attempts, created_at)
        ${numbers} SELECT number, 1, 1, 'alert.fired', 1, '', 'sent', 1, 1 FROM numbers`.execute(tx);
    });
    const startMs = performance.now();
    assert.equal(await createDeliveryStore(database).prune({ beforeMs: 50, nowMs: 100 }), false);
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs < 1000, `took ${tookMs} ms`);
    assert.deepEqual(await countsOf(database), [20_000, 20_002]);
  });
});
