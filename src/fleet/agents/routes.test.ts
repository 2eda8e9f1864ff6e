import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { HELLO, startFleet, type TestFleet } from "../../../test/support/fleet.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { requireCapability } from "../../editions/edition.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const PATH = "/api/v1/agents";

describe("the routes of agents", () => {
  let database: Database;
  let fleet: TestFleet;
  let server: HttpServer;
  let routes: DeclaredRoutes;
  let id: string;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    fleet = await startFleet({ database, clock: createFakeClock() });
    id = await fleet.enroll({ label: "b" });
    await fleet.enroll({ label: "a" });
    fleet.agents.register.connected(id, HELLO, -1_000);
    server = createTestServer({ routes: fleet.agents.routes });
    routes = declaredRoutes(server, fleet.agents.routes);
  });
  after(async () => {
    await fleet.stop();
    await server.stop();
    await database.stop();
  });

  it("answer as they declare", async () => {
    const list = await routes.check("GET", PATH);
    assert.equal(list["total"], 2);
    assert.deepEqual(
      (list["agents"] as { label: string }[]).map(({ label }) => label),
      ["a", "b"],
    );
    const one = await routes.check("GET", `${PATH}/{id}`, { id: id.toUpperCase() });
    assert.deepEqual(one, {
      id,
      label: "b",
      hostname: "ark",
      os: "Debian GNU/Linux 13",
      arch: "x64",
      version: "1.2.3",
      runtime: "docker",
      status: "active",
      connection_state: "connected",
      last_seen_at: "2026-03-01T12:00:00.000Z",
      enrolled_at: "2026-03-01T12:00:00.000Z",
      revoked_at: null,
      spool: { queued: 0, draining: false, dropped: 0 },
      events_per_second: 0,
      capabilities: ["logs"],
      clock_offset_ms: -1_000,
    });
    assert.equal((await routes.check("GET", `${PATH}/metrics`))["connected"], 2);
    assert.equal((await routes.check("PATCH", `${PATH}/{id}`, { id }, { label: " Ark " }))["label"], "Ark");
    assert.equal((await routes.check("POST", `${PATH}/{id}/revoke`, { id }))["status"], "revoked");
    assert.equal((await routes.check("GET", `${PATH}/metrics`))["revoked"], 1);
    await routes.check("DELETE", `${PATH}/{id}`, { id });
    assert.equal((await routes.ask("DELETE", `${PATH}/${id}`)).status, 404);
    assert.equal((await routes.ask("GET", `${PATH}/${id}`)).status, 404);
  });

  const faults: [body: object, path: string][] = [
    [{ label: "x".repeat(65) }, "label"],
    [{ label: "x".repeat(100_000) }, "label"],
    [{ label: " \u0007 " }, "label"],
    [{ label: 7 }, "label"],
    [{}, "label"],
    [{ label: "x", status: "active" }, "status"],
  ];
  for (const [given, path] of faults) {
    it(`name ${path} of ${JSON.stringify(given).slice(0, 60)}`, async () => {
      const answer = await routes.ask("PATCH", `${PATH}/${randomUUID()}`, given);
      const { error } = answer.body as { error: { code: string; details: { path: string }[] } };
      assert.deepEqual([answer.status, error.code, ...new Set(error.details.map((fault) => fault.path))], [400, "validation_failed", path]);
    });
  }

  it("take a label of 64 characters, whatever they are", async () => {
    const [, other] = [id, fleet.agents.service.list().agents[0]?.id];
    assert.equal((await routes.ask("PATCH", `${PATH}/${other}`, { label: "🛶".repeat(64) })).status, 200);
  });

  it("refuse what is no id, and who is not there", async () => {
    for (const [method, url] of [
      ["GET", "x"],
      ["DELETE", "1"],
      ["POST", "x/revoke"],
    ] as const)
      assert.equal((await routes.ask(method, `${PATH}/${url}`)).status, 400, url);
    const nobody = randomUUID();
    assert.equal((await routes.ask("PATCH", `${PATH}/${nobody}`, { label: "x" })).status, 404);
    assert.equal((await routes.ask("POST", `${PATH}/${nobody}/revoke`)).status, 404);
  });

  it("are all gated", async () => {
    const gated = createTestServer({ routes: fleet.agents.routes, gate: (capability) => requireCapability("community", capability) });
    try {
      const asked = declaredRoutes(gated, fleet.agents.routes);
      for (const { method, path } of fleet.agents.routes) {
        const { status, body } = await asked.ask(method, path.replace("{id}", "x"));
        assert.deepEqual([status, (body["error"] as { code: string }).code], [403, "EDITION_REQUIRED"], `${method} ${path}`);
      }
    } finally {
      await gated.stop();
    }
  });
});
