import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createAlertContext, openAlerts, type OpenedAlerts, problem } from "../../../test/support/alerts.ts";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const ALL = "/api/v1/alerts";
const ONE = `${ALL}/{id}`;

let database: Database;
let opened: OpenedAlerts;
let server: HttpServer;
let routes: DeclaredRoutes;

before(async () => {
  database = openSqlite({ path: `${temporaryFolder()}/alerts.db`, clock: systemClock, log: silentLog });
  await database.start();
  opened = await openAlerts(database, createFakeClock(), createAlertContext());
  server = createTestServer({ routes: opened.alerts.routes, config: { trustedProxies: { includes: () => true } } });
  routes = declaredRoutes(server, opened.alerts.routes);
});
after(async () => {
  await opened.alerts.stop();
  await server.stop();
  await database.stop();
});

describe("the routes of alerts", () => {
  it("answer as they declare", async () => {
    await opened.alerts.raise(problem({ labels: { tier: "front" }, details: { status: 500 } }));
    const { id } = await opened.last();
    assert.partialDeepStrictEqual(await routes.check("GET", ALL, { source: "endpoint", limit: 1 }), { total: 1, has_more: false });
    assert.partialDeepStrictEqual(await routes.check("GET", `${ALL}/active`), { counts: { critical: 1, warning: 0, info: 0 } });
    assert.partialDeepStrictEqual(await routes.check("GET", ONE, { id }), { id, status: "active", labels: { tier: "front" } });
    const acknowledged = await routes.check("POST", `${ONE}/acknowledge`, { id }, { acknowledged_by: " An\u0007na ", note: "" });
    assert.partialDeepStrictEqual(acknowledged, { acknowledged_by: "An na", acknowledged_note: null });
    assert.partialDeepStrictEqual(await routes.check("POST", `${ONE}/resolve`, { id }, { resolved_by: "Anna" }), {
      status: "resolved",
      resolved_by: "Anna",
    });
    const trace = await routes.check("GET", `${ONE}/trace`, { id });
    assert.match(String(trace["summary"]), /^2 notifications: 2 sent\.$/);
    assert.partialDeepStrictEqual(await routes.check("GET", `${ALL}/active`), { alerts: [], counts: { critical: 0 } });
  });

  it("say what is wrong with a question", async () => {
    await opened.alerts.raise(problem({ entity: { type: "endpoint", id: "9" } }));
    const { id } = await opened.last();
    const rows: [method: "GET" | "POST", url: string, body: unknown, status: number, code: string][] = [
      ["GET", `${ALL}/999`, undefined, 404, "not_found"],
      ["GET", `${ALL}/999/trace`, undefined, 404, "not_found"],
      ["GET", `${ALL}/x`, undefined, 400, "invalid_request"],
      ["POST", `${ALL}/999/acknowledge`, { acknowledged_by: "Anna" }, 404, "not_found"],
      ["POST", `${ALL}/999/resolve`, { resolved_by: "Anna" }, 404, "not_found"],
      ["POST", `${ALL}/${id}/acknowledge`, {}, 400, "validation_failed"],
      ["POST", `${ALL}/${id}/acknowledge`, { acknowledged_by: "\u0007" }, 400, "validation_failed"],
      ["POST", `${ALL}/${id}/acknowledge`, { acknowledged_by: "Anna", extra: 1 }, 400, "validation_failed"],
      ["POST", `${ALL}/${id}/acknowledge`, { acknowledged_by: "Anna", note: "x".repeat(1001) }, 400, "validation_failed"],
      ["POST", `${ALL}/${id}/resolve`, { resolved_by: "Auto" }, 409, "unusable_values"],
      ["GET", `${ALL}?source=moon`, undefined, 400, "invalid_request"],
      ["GET", `${ALL}?severity=loud&limit=0`, undefined, 400, "invalid_request"],
      ["GET", `${ALL}?since=yesterday`, undefined, 400, "invalid_request"],
      ["GET", `${ALL}?agent_id=me`, undefined, 400, "invalid_request"],
      ["GET", `${ALL}?nothing=1`, undefined, 400, "invalid_request"],
    ];
    for (const [method, url, body, status, code] of rows) {
      const answer = await routes.ask(method, url, body);
      assert.equal(answer.status, status, url);
      assert.partialDeepStrictEqual(answer.body, { error: { code } }, url);
    }
    assert.equal((await routes.ask("POST", `${ALL}/${id}/acknowledge`, { acknowledged_by: "Anna" })).status, 200);
    assert.equal((await routes.ask("POST", `${ALL}/${id}/acknowledge`, { acknowledged_by: "Ben" })).status, 409);
  });
});
