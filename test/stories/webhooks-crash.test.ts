import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { it, type TestContext } from "node:test";
import { z } from "zod";
import type { AlertTables } from "../../src/alerting/alerts/rows.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openAlerting } from "../support/alerting.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { createDeliveryWriters } from "../support/delivery-writers.ts";
import { openPlace, placeOf } from "../support/place.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";
import { until } from "../support/until.ts";

const KILLS = repetitions({ gate: 4, long: 100 });
/** A dead program's subscriptions stay its own for so long, where several share a database. */
const WITHIN_MS = 120_000;

const payload = z.object({ id: z.string(), type: z.string(), data: z.object({ id: z.number() }) });

/** What a subscriber got: under which key, and of which event. */
interface Got {
  key: string;
  eventId: string;
  what: string;
}

/** Alerts are raised and cleared, and the program is killed again and again in the middle of it. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  it(`sends the event of every alert that was saved, when killed ${KILLS} times`, async (context) => {
    const where = placeOf(await databaseEnv());
    const { url, got } = await openReceiver(context);
    const writers = createDeliveryWriters(context, chanceOf(context));
    for (let life = 1; life <= KILLS; life += 1)
      await writers.live({ place: where, first: life * 1_000_000, channels: [], subscriptions: life === 1 ? [{ name: "all", url }] : [] });

    // The last life is not killed: all that was saved is sent.
    const database = openPlace(where);
    await database.start();
    const rows = await database.tables<AlertTables>().read.selectFrom("alerts").select(["id", "status"]).execute();
    const alerting = await openAlerting(database, silentLog, { subscribes: true });
    context.after(async () => {
      await alerting.stop();
      await database.stop();
    });
    assert.ok(rows.length > 5 * KILLS, `only ${rows.length} alerts were saved`);
    const owed = rows.flatMap(({ id, status }) => [`alert.fired ${id}`, ...(status === "resolved" ? [`alert.resolved ${id}`] : [])]);
    assert.ok(owed.length > rows.length);
    const missing = (): string[] => {
      const arrived = new Set(got.map(({ what }) => what));
      return owed.filter((what) => !arrived.has(what));
    };
    try {
      await until(() => missing().length === 0, { withinMs: WITHIN_MS, everyMs: 200 });
    } catch {
      assert.fail(`${missing().length} of ${owed.length} events were never sent, as ${missing()[0]}`);
    }

    // What came twice, after a kill between its arrival and the note of that, came under the same key.
    for (const [what, same] of Map.groupBy(got, (each) => each.what))
      assert.equal(new Set(same.map(({ key, eventId }) => `${key} ${eventId}`)).size, 1, what);
    context.diagnostic(`${owed.length} events, ${got.length - new Set(got.map(({ key }) => key)).size} sent again after a kill`);
  });
}

async function openReceiver(context: TestContext): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { id, type, data } = payload.parse(JSON.parse(body));
      got.push({ key: String(request.headers["x-service-delivery"]), eventId: id, what: `${type} ${data.id}` });
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/in`, got };
}

storyOnBothDatabases("a program with subscriptions that is killed", story);
