import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { type CheckedEndpoints, failure, labelled, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { HttpServer } from "../../http/server.ts";
import { labelEndpointKey } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { SORT_KEYS } from "./api.ts";

const PATH = "/api/v1/endpoints";

describe("the routes of endpoints", () => {
  const clock = createFakeClock();
  let database: Database;
  let checked: CheckedEndpoints;
  let server: HttpServer;
  let routes: DeclaredRoutes;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    checked = await startEndpoints({ database, clock });
    server = createTestServer({ routes: checked.endpoints.routes });
    routes = declaredRoutes(server, checked.endpoints.routes);
    await checked.show({ externalId: "a", name: "web", endpoints: [labelled()] });
    await checked.checked(labelEndpointKey("a", "service.endpoint.http"));
    await clock.advance(1000);
    await checked.checked(labelEndpointKey("a", "service.endpoint.http"), failure);
  });
  after(async () => {
    await checked.stop();
    await server.stop();
    await database.stop();
  });

  it("answer as they declare", async () => {
    const { endpoints } = await routes.check("GET", PATH);
    assert.ok(Array.isArray(endpoints));
    const [{ id, container_id }] = endpoints as [{ id: number; container_id: number }];
    assert.equal(
      (await routes.check("GET", PATH, { status: "up", type: "http", source: "label", container_id, search: "web" }))["total"],
      1,
    );
    for (const sort of SORT_KEYS) assert.equal((await routes.check("GET", PATH, { sort, order: "desc" }))["total"], 1);
    await routes.check("GET", `${PATH}/{id}`, { id });
    assert.equal((await routes.check("GET", `${PATH}/{id}/checks`, { id, limit: 1 }))["has_more"], true);
    await routes.check("GET", `${PATH}/{id}/uptime/daily`, { id, days: 7 });
    for (const range of ["1h", "6h", "24h", "7d", "30d"]) await routes.check("GET", `${PATH}/{id}/response-times`, { id, range });
    assert.equal((await routes.check("GET", "/api/v1/containers/{id}/endpoints", { id: container_id }))["total"], 1);
    const sparklines = await routes.check("GET", "/api/v1/dashboard/sparklines", { agent_id: "local" });
    assert.deepEqual(sparklines["endpoints"], { [id]: { points: [12.3, null], status: "up", uptime_24h: 100 } });
  });

  it("create, change, pause, check and delete", async () => {
    const { id, name } = await routes.check("POST", PATH, {}, { type: "tcp", target: "DB.test:5432" });
    assert.equal(name, "db.test:5432");
    const changed = await routes.check("PUT", `${PATH}/{id}`, { id }, { type: "tcp", target: "db.test:5433", name: "Ledger" });
    assert.equal(changed["target"], "db.test:5433");
    assert.equal((await routes.check("POST", `${PATH}/{id}/pause`, { id }))["paused"], true);
    const refused = await routes.ask("POST", `${PATH}/${String(id)}/check`);
    assert.deepEqual([refused.status, (refused.body["error"] as { code: string }).code], [409, "conflict"]);
    assert.equal((await routes.check("POST", `${PATH}/{id}/resume`, { id }))["paused"], false);
    checked.probes.answer = failure;
    await routes.check("POST", `${PATH}/{id}/check`, { id });
    await routes.check("DELETE", `${PATH}/{id}`, { id });
    assert.equal((await routes.ask("GET", `${PATH}/${String(id)}`)).status, 404);
  });

  it("name every fault of a body, and never repeat a secret", async () => {
    const { status, body } = await routes.ask("POST", PATH, {
      type: "http",
      target: "https://user:hunter2@a..b/",
      interval_seconds: 1,
      headers: { "X-Key": "s3cret\n" },
      expectedstatus: ["200"],
    });
    const { error } = body as { error: { code: string; details: { path: string }[] } };
    assert.deepEqual([status, error.code], [400, "validation_failed"]);
    assert.deepEqual(error.details.map(({ path }) => path).toSorted(), ["expectedstatus", "headers.X-Key", "interval_seconds", "target"]);
    assert.equal(/hunter2|s3cret/.test(JSON.stringify(body)), false);
  });

  const refused: [method: "GET" | "POST" | "PUT" | "DELETE", url: string, status: number][] = [
    ["GET", `${PATH}/x`, 400],
    ["GET", `${PATH}?status=sideways`, 400],
    ["GET", `${PATH}?limit=1001`, 400],
    ["GET", `${PATH}?sort=colour`, 400],
    ["GET", `${PATH}?sort=name&order=up`, 400],
    ["GET", `${PATH}?order=desc`, 409],
    ["GET", `${PATH}/4711`, 404],
    ["GET", `${PATH}/4711/checks`, 404],
    ["GET", `${PATH}/1/checks?limit=0`, 400],
    ["GET", `${PATH}/1/checks?since=yesterday`, 400],
    ["GET", `${PATH}/1/uptime/daily?days=366`, 400],
    ["GET", `${PATH}/1/response-times?range=2h`, 400],
    ["GET", "/api/v1/containers/4711/endpoints", 404],
    ["POST", `${PATH}/4711/pause`, 404],
    ["POST", `${PATH}/4711/check`, 404],
    ["DELETE", `${PATH}/4711`, 404],
  ];
  for (const [method, url, status] of refused)
    it(`refuse ${method} ${url}`, async () => assert.equal((await routes.ask(method, url)).status, status));
});
