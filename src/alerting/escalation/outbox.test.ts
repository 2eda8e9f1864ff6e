import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { DELIVERED, openDeliveries, REFUSED } from "../../../test/support/deliveries.ts";
import { createContext, levelsOf, openEscalation } from "../../../test/support/escalation.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import type { SendOutcome } from "../vocabulary.ts";

onBothDatabases(({ create }) => {
  it("with the real outbox levels, closures and their outcomes arrive, and nobody is notified twice of the end", async (context) => {
    const clock = createFakeClock();
    const database = await create();
    const deliveries = await openDeliveries(database, clock);
    context.after(deliveries.stop);
    const { behaviour, outbox } = deliveries;
    behaviour.send = async ({ channelId }) => (channelId === 3 ? REFUSED : DELIVERED);
    const around = createContext();
    const chain = await openEscalation(database, clock, around, { outbox });
    const statuses = async (): Promise<unknown[]> =>
      (await chain.theRun()).deliveries.map(({ channel_id: channel, kind, status }) => `${channel} ${kind} ${status}`);

    await chain.makePolicy(levelsOf([0, 1, 2, 3], [86_400, 4]));
    // The ordinary path notified channel 1, which asks for the end.
    await deliveries.put(1, "alert.fired", [1]);
    const alert = await chain.fire();
    await until(async () => (await statuses()).slice(0, 2).every((each) => String(each).endsWith("sent")), { everyMs: 100 });
    assert.deepEqual(await outbox.notified(1), [1]);
    await deliveries.passUntil(() => deliveries.settled.some(({ status }) => status === "failed"));
    await until(async () => (await statuses())[2] === "3 level failed", { everyMs: 100 });
    assert.partialDeepStrictEqual((await chain.theRun()).deliveries[2], { error: "It answered 503." });
    assert.partialDeepStrictEqual((await outbox.of(1))[1], {
      escalation: { run_id: 1, level: 0 },
      because: 'escalation policy "Nights", level 1',
    });

    await chain.end(alert, "resolved");
    await until(async () => (await statuses()).at(-1) === "2 closure sent", { everyMs: 100 });
    assert.deepEqual(await statuses(), ["1 level sent", "2 level sent", "3 level failed", "2 closure sent"]);
    assert.deepEqual(
      deliveries.sent.filter(({ event }) => event === "alert.resolved").map(({ channelId }) => channelId),
      [2],
    );
    assert.equal((await chain.theRun()).status, "stopped_by_resolution");
  });

  it("a message that waits still does when its alert has had a thousand others", async (context) => {
    const clock = createFakeClock();
    const database = await create();
    const deliveries = await openDeliveries(database, clock);
    context.after(deliveries.stop);
    const unsent = Promise.withResolvers<SendOutcome>();
    deliveries.behaviour.send = () => unsent.promise;
    await database.tables<object>().write((tx) =>
      sql`INSERT INTO deliveries (notification_id, alert_id, channel_id, event, notify_on_resolve, because, created_at, status, attempts)
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
        SELECT 1, 1, 2, 'alert.fired', 1, '', 0, 'sent', 1 FROM counted`.execute(tx),
    );
    const chain = await openEscalation(database, clock, createContext(), { outbox: deliveries.outbox });
    await chain.makePolicy(levelsOf([0, 1]));
    await chain.fire();
    await chain.keepBooks();
    const { deliveries: messages } = await chain.theRun();
    unsent.resolve(DELIVERED);
    assert.partialDeepStrictEqual(messages, [{ status: "pending", error: null }]);
  });
});
