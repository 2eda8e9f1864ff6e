import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { openDeliveries, type OpenedDeliveries, REFUSED } from "../../../test/support/deliveries.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/until.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const ALL = "/api/v1/deliveries";
const REPLAY = `${ALL}/{id}/replay`;

let database: Database;
let deliveries: OpenedDeliveries;
let server: HttpServer;
let routes: DeclaredRoutes;

before(async () => {
  database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
  await database.start();
  deliveries = await openDeliveries(database, createFakeClock());
  server = createTestServer({ routes: deliveries.routes, config: { trustedProxies: { includes: () => true } } });
  routes = declaredRoutes(server, deliveries.routes);
});
after(async () => {
  await server.stop();
  await deliveries.stop();
  await database.stop();
});

describe("the routes of deliveries", () => {
  it("list and replay", async () => {
    const { put, settled, sent, behaviour } = deliveries;
    await put(1, "alert.fired", [1, 2]);
    await until(() => settled.length === 2);
    behaviour.send = async () => REFUSED;
    const [waiting] = await put(2, "alert.fired", [1]);
    await until(() => sent.length === 3);
    const id = settled.find(({ channelId }) => channelId === 2)?.id;
    assert.partialDeepStrictEqual(await routes.check("GET", ALL, { alert_id: 1, channel_id: 2 }), {
      total: 1,
      has_more: false,
      deliveries: [{ id, status: "sent" }],
    });
    assert.partialDeepStrictEqual(await routes.check("GET", ALL, { limit: 2 }), { total: 3, has_more: true });
    assert.equal((await routes.check("GET", ALL, { status: "failed" }))["total"], 0);

    const again = await routes.check("POST", REPLAY, { id });
    assert.partialDeepStrictEqual(again, { alert_id: 1, channel_id: 2, event: "alert.fired", status: "pending", replay_of: id });
    await until(() => sent.length === 4);
    assert.deepEqual([sent[3]?.key, sent[3]?.alertId], [String(again["id"]), 1]);

    const post = async (of: unknown) => routes.ask("POST", `${ALL}/${String(of)}/replay`);
    assert.partialDeepStrictEqual(await post(waiting?.id), { status: 409 });
    assert.partialDeepStrictEqual(await post(999), { status: 404 });
    deliveries.channels.set(2, { enabled: false });
    assert.partialDeepStrictEqual(await post(id), { status: 409 });
    deliveries.channels.delete(2);
    assert.partialDeepStrictEqual(await post(id), { status: 409 });
  });

  it("refuse what they do not understand, every fault at once", async () => {
    const { status, body } = await routes.ask("GET", `${ALL}?alert_id=x&status=lost&limit=0&offset=-1&whom=me`);
    assert.equal(status, 400);
    assert.partialDeepStrictEqual(body, { error: { code: "invalid_request" } });
    for (const path of ["alert_id", "status", "limit", "offset", "whom"]) assert.match(JSON.stringify(body), new RegExp(`"${path}"`));
  });
});
