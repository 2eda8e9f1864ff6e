import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { it, type TestContext } from "node:test";
import { z } from "zod";
import type { DeliveryRecord } from "../../src/alerting/deliveries/answers.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openAlerting } from "../support/alerting.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { createDeliveryWriters } from "../support/delivery-writers.ts";
import { openPlace, placeOf } from "../support/place.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";
import { until } from "../support/until.ts";

const KILLS = repetitions({ gate: 6, long: 100 });

const payload = z.object({ event: z.string(), alert: z.object({ id: z.number(), entity_id: z.string() }) });

/** What a receiver was told, in order. */
interface Told {
  key: string;
  event: string;
  alertId: number;
  number: number;
  /** During which life. */
  life: number;
}

/** Alerts are raised, cleared and told, and the program killed again and again in the middle of it. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  it(`tells every alert, in order, and nothing again that it marked as sent, when killed ${KILLS} times`, async (context) => {
    const chance = chanceOf(context);
    let life = 0;
    const where = placeOf(await databaseEnv());
    const living = await openReceiver(
      context,
      () => life,
      () => false,
    );
    const failing = await openReceiver(
      context,
      () => life,
      () => chance.below(5) === 0,
    );
    const channels = [
      { name: "living", url: living.url },
      { name: "failing", url: failing.url },
    ];
    const writers = createDeliveryWriters(context, chance);
    const raised = new Set<number>();
    const cleared = new Set<number>();
    /** Deliveries that were said to be over, and during which life. */
    const settled = new Map<string, number>();
    for (life = 1; life <= KILLS; life += 1) {
      const first = life * 1_000_000;
      const hasSentAnEnd = (): boolean => life < KILLS || living.told.some(({ event }) => event === "alert.resolved");
      const lines = await writers.live({ place: where, first, channels: life === 1 ? channels : [] }, hasSentAnEnd);
      for (const line of lines) {
        const [word, value = ""] = line.split(" ");
        if (word === "raised") raised.add(Number(value));
        if (word === "cleared") cleared.add(Number(value));
        if (word === "settled") settled.set(value, life);
      }
    }
    assert.ok(raised.size > 5 * KILLS, `only ${raised.size} alerts were raised`);

    // The last life is not killed: all that waits for the living one is told.
    const database = openPlace(where);
    await database.start();
    const alerting = await openAlerting(database, silentLog, { leaseMs: 200 });
    context.after(async () => {
      await alerting.stop();
      await database.stop();
    });
    const living1 = alerting.channels.byName("living")?.id ?? 0;
    const of = async (alertId: number): Promise<DeliveryRecord[]> =>
      (await alerting.outbox.of(alertId)).filter((delivery) => delivery.channel_id === living1);
    const fired = (): Map<number, number> =>
      new Map(living.told.filter(({ event }) => event === "alert.fired").map(({ number, alertId }) => [number, alertId]));
    const missing = (): number[] => {
      const known = fired();
      return [...raised].filter((number) => !known.has(number));
    };
    // The receivers are in this process too: looking must not take their time.
    await until(() => missing().length === 0, { withinMs: 60_000, everyMs: 200, what: "every alert was told" });
    const ids = fired();
    for (const number of cleared) {
      const alertId = ids.get(number) ?? 0;
      await until(async () => (await of(alertId)).every(({ status }) => status === "sent"), { withinMs: 30_000, what: `all of ${number}` });
    }

    // Nothing is told again in a later life than the one in which it was said to be over.
    const repeated = new Set<string>();
    for (const [receiver, told] of [
      ["living", living.told],
      ["failing", failing.told],
    ] as const) {
      for (const { key, life: toldIn } of told) {
        const over = settled.get(key);
        assert.ok(
          over === undefined || toldIn <= over,
          `delivery ${key} was told to the ${receiver} one in life ${toldIn}, over since ${over}`,
        );
      }
    }
    const byAlert = Map.groupBy(living.told, ({ alertId }) => alertId);
    for (const [alertId, told] of byAlert) {
      const keys = told.map(({ key }) => key);
      for (const key of keys) if (keys.indexOf(key) !== keys.lastIndexOf(key)) repeated.add(key);
      const events = told.map(({ event }) => event);
      const resolvedAt = events.indexOf("alert.resolved");
      assert.ok(resolvedAt !== 0, `alert ${alertId} was told to be over before it was told`);
      assert.ok(resolvedAt === -1 || !events.slice(resolvedAt).includes("alert.fired"), `alert ${alertId}: ${events.join()}`);
      // One that was told more than once was so under one key.
      for (const event of ["alert.fired", "alert.resolved"]) {
        assert.ok(
          new Set(told.filter((one) => one.event === event).map(({ key }) => key)).size <= 1,
          `alert ${alertId}: two keys of ${event}`,
        );
      }
    }
    for (const number of cleared) {
      const told = byAlert.get(ids.get(number) ?? 0) ?? [];
      const rows = await of(ids.get(number) ?? 0);
      const isOwed = rows.some(({ event }) => event === "alert.resolved");
      assert.ok(!isOwed || told.some(({ event }) => event === "alert.resolved"), `the end of ${number} was never told`);
    }
    const ends = [...byAlert.values()].filter((told) => told.some(({ event }) => event === "alert.resolved")).length;
    assert.ok(ends > 0, "no resolved alert was sent");
    context.diagnostic(
      `${raised.size} alerts, ${ends} ends, ${living.told.length} and ${failing.told.length} messages, ${repeated.size} repeated after a crash`,
    );
  });
}

/** A receiver on loopback, which refuses messages now and then. */
async function openReceiver(context: TestContext, life: () => number, refuse: () => boolean): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { event, alert } = payload.parse(JSON.parse(body));
      const refuses = refuse();
      const number = Number(alert.entity_id);
      if (!refuses) told.push({ key: String(request.headers["idempotency-key"]), event, alertId: alert.id, number, life: life() });
      response.writeHead(refuses ? 500 : 200).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/in`, told };
}

storyOnBothDatabases("a program that tells of alerts and is killed", story, "postgresql");
