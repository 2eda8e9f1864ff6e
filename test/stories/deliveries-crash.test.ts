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

/** A message that a receiver got, in order. */
interface Received {
  key: string;
  event: string;
  alertId: number;
  number: number;
  /** During which life. */
  life: number;
}

/** Alerts are raised, cleared and delivered, and the program killed again and again in the middle of it. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  it(`delivers every alert, in order, and nothing again that it marked as sent, when killed ${KILLS} times`, async (context) => {
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
    /** Deliveries that were marked as sent, and during which life. */
    const settled = new Map<string, number>();
    for (life = 1; life <= KILLS; life += 1) {
      const first = life * 1_000_000;
      const hasSentAnEnd = (): boolean => life < KILLS || living.received.some(({ event }) => event === "alert.resolved");
      const lines = await writers.live({ place: where, first, channels: life === 1 ? channels : [] }, hasSentAnEnd);
      for (const line of lines) {
        const [word, value = ""] = line.split(" ");
        if (word === "raised") raised.add(Number(value));
        if (word === "cleared") cleared.add(Number(value));
        if (word === "settled") settled.set(value, life);
      }
    }
    assert.ok(raised.size > 5 * KILLS, `only ${raised.size} alerts were raised`);

    // The last life is not killed: all that waits for the living one is delivered.
    const database = openPlace(where);
    await database.start();
    const alerting = await openAlerting(database, silentLog);
    context.after(async () => {
      await alerting.stop();
      await database.stop();
    });
    const living1 = alerting.channels.all().find(({ name }) => name === "living")?.id ?? 0;
    const of = async (alertId: number): Promise<DeliveryRecord[]> =>
      (await alerting.outbox.of(alertId)).filter((delivery) => delivery.channel_id === living1);
    const fired = (): Map<number, number> =>
      new Map(living.received.filter(({ event }) => event === "alert.fired").map(({ number, alertId }) => [number, alertId]));
    const missing = (): number[] => {
      const known = fired();
      return [...raised].filter((number) => !known.has(number));
    };
    // The receivers are in this process too: looking must not take their time.
    for (let left = missing(); left.length > 0; left = missing()) {
      const what = `another of ${left.length} alerts of ${raised.size} to be delivered, the first is ${left[0]}`;
      await until(() => missing().length < left.length, { withinMs: 30_000, everyMs: 200, what });
    }
    const ids = fired();
    for (const number of cleared) {
      const alertId = ids.get(number) ?? 0;
      await until(async () => (await of(alertId)).every(({ status }) => status === "sent"), { withinMs: 30_000, what: `all of ${number}` });
    }

    // Nothing is delivered again in a later life than the one in which it was marked as sent.
    const repeated = new Set<string>();
    for (const [receiver, received] of [
      ["living", living.received],
      ["failing", failing.received],
    ] as const) {
      for (const { key, life: receivedIn } of received) {
        const over = settled.get(key);
        assert.ok(
          over === undefined || receivedIn <= over,
          `delivery ${key} reached the ${receiver} one in life ${receivedIn}, over since ${over}`,
        );
      }
    }
    const byAlert = Map.groupBy(living.received, ({ alertId }) => alertId);
    for (const [alertId, received] of byAlert) {
      const keys = received.map(({ key }) => key);
      for (const key of keys) if (keys.indexOf(key) !== keys.lastIndexOf(key)) repeated.add(key);
      const events = received.map(({ event }) => event);
      const resolvedAt = events.indexOf("alert.resolved");
      assert.ok(resolvedAt !== 0, `alert ${alertId} was resolved before it fired`);
      assert.ok(resolvedAt === -1 || !events.slice(resolvedAt).includes("alert.fired"), `alert ${alertId}: ${events.join()}`);
      // What was delivered more than once had one key.
      for (const event of ["alert.fired", "alert.resolved"]) {
        assert.ok(
          new Set(received.filter((one) => one.event === event).map(({ key }) => key)).size <= 1,
          `alert ${alertId}: two keys of ${event}`,
        );
      }
    }
    for (const number of cleared) {
      const received = byAlert.get(ids.get(number) ?? 0) ?? [];
      const rows = await of(ids.get(number) ?? 0);
      const isOwed = rows.some(({ event }) => event === "alert.resolved");
      assert.ok(!isOwed || received.some(({ event }) => event === "alert.resolved"), `the end of ${number} was never delivered`);
    }
    const ends = [...byAlert.values()].filter((received) => received.some(({ event }) => event === "alert.resolved")).length;
    assert.ok(ends > 0, "no resolved alert was sent");
    context.diagnostic(
      `${raised.size} alerts, ${ends} ends, ${living.received.length} and ${failing.received.length} messages, ${repeated.size} repeated after a crash`,
    );
  });
}

/** A receiver on loopback, which refuses messages now and then. */
async function openReceiver(
  context: TestContext,
  life: () => number,
  refuse: () => boolean,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { event, alert } = payload.parse(JSON.parse(body));
      const refuses = refuse();
      const number = Number(alert.entity_id);
      if (!refuses) received.push({ key: String(request.headers["idempotency-key"]), event, alertId: alert.id, number, life: life() });
      response.writeHead(refuses ? 500 : 200).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/in`, received };
}

storyOnBothDatabases("a program that delivers alerts and is killed", story, "postgresql");
