import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startCertificates, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { SORT_KEYS } from "./api.ts";

const PATH = "/api/v1/certificates";

describe("the routes of certificates", () => {
  const clock = createFakeClock();
  let database: Database;
  let watched: WatchedCertificates;
  let server: HttpServer;
  let routes: DeclaredRoutes;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    watched = await startCertificates({ database, clock });
    server = createTestServer({ routes: watched.certificates.routes });
    routes = declaredRoutes(server, watched.certificates.routes);
  });
  after(async () => {
    await watched.stop();
    await server.stop();
    await database.stop();
  });

  it("answer as they declare, from the beginning to the end of a monitor", async () => {
    const created = await routes.check("POST", PATH, {}, { domain: "Web.test", port: 8443 });
    const { id } = created["certificate"] as { id: number };
    assert.ok(created["latest_check"] !== null);
    assert.equal((await routes.check("GET", PATH, { status: "valid", search: "web" }))["total"], 1);
    for (const sort of SORT_KEYS) assert.equal((await routes.check("GET", PATH, { sort, order: "desc" }))["total"], 1);
    await routes.check("GET", `${PATH}/{id}`, { id });
    await routes.check("PUT", `${PATH}/{id}`, { id }, { alert_thresholds_days: [20] });
    await routes.check("POST", `${PATH}/{id}/check`, { id });
    assert.deepEqual([(await routes.check("GET", `${PATH}/{id}/checks`, { id, limit: 2 }))["total"]], [3]);
    const duplicate = await routes.ask("POST", PATH, { domain: "web.test", port: 8443 });
    assert.deepEqual([duplicate.status, (duplicate.body["error"] as { code: string }).code], [409, "conflict"]);
    await routes.check("DELETE", `${PATH}/{id}`, { id });
    assert.equal((await routes.ask("GET", `${PATH}/${id}`)).status, 404);
  });

  /** The schema allows them, and yet they name no host. */
  const UNUSABLE = new Set<unknown>(["a..b", "*.test"]);
  const faults: [body: Record<string, unknown>, path: string][] = [
    [{ domain: "a..b" }, "domain"],
    [{ domain: "web.test", port: 0 }, "port"],
    [{ domain: "web.test", port: 70_000 }, "port"],
    [{ domain: "web.test", port: "443" }, "port"],
    [{}, "domain"],
    [{ domain: "web.test", sni: "x" }, "sni"],
    [{ domain: "web.test", server_name: "*.test" }, "server_name"],
  ];
  for (const [body, path] of faults) {
    it(`name ${path} of ${JSON.stringify(body)}`, async () => {
      const answer = await routes.ask("POST", PATH, body);
      const { error } = answer.body as { error: { code: string; details: { path: string }[] } };
      const refusal = UNUSABLE.has(body[path]) ? [409, "unusable_values"] : [400, "validation_failed"];
      assert.deepEqual([answer.status, error.code, error.details.map((fault) => fault.path)], [...refusal, [path]]);
    });
  }

  it("refuse what is not there", async () => {
    for (const url of [`${PATH}/4711`, `${PATH}/4711/checks`]) assert.equal((await routes.ask("GET", url)).status, 404);
    assert.equal((await routes.ask("PUT", `${PATH}/4711`, {})).status, 404);
    assert.equal((await routes.ask("GET", `${PATH}?status=fine`)).status, 400);
    assert.equal((await routes.ask("GET", `${PATH}?sort=colour`)).status, 400);
  });
});
