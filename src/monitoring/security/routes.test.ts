import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { requireCapability } from "../../editions/edition.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { SORT_KEYS } from "./api.ts";

const PATH = "/api/v1/security";

describe("the routes of security", () => {
  let database: Database;
  let watched: WatchedSecurity;
  let server: HttpServer;
  let routes: DeclaredRoutes;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    watched = await startSecurity({ database, clock: createFakeClock() });
    await watched.show({ externalId: "web", ports: [port(80)], privileged: true });
    server = createTestServer({ routes: watched.security.routes });
    routes = declaredRoutes(server, watched.security.routes);
  });
  after(async () => {
    await watched.stop();
    await server.stop();
    await database.stop();
  });

  const body = (of: object = {}) => ({
    container_id: 1,
    finding_type: "privileged_container",
    acknowledged_by: " Ada ",
    reason: "Needs it",
    ...of,
  });

  it("answer as they declare", async () => {
    assert.equal((await routes.check("GET", `${PATH}/insights`, { severity: "critical", acknowledged: false }))["total"], 2);
    for (const sort of SORT_KEYS) assert.equal((await routes.check("GET", `${PATH}/insights`, { sort, order: "desc" }))["total"], 2);
    const insights = await routes.ask("GET", `${PATH}/insights/1`);
    assert.deepEqual([insights.status, insights.body["total"]], [200, 2]);
    await routes.check("GET", `${PATH}/summary`, { agent_id: "local" });
    await routes.check("GET", `${PATH}/posture`, { days: 30 });
    await routes.check("GET", `${PATH}/posture/containers`, { limit: 10 });
    await routes.check("GET", `${PATH}/posture/containers/{id}`, { id: 1 });
    const made = await routes.check("POST", `${PATH}/acknowledgments`, {}, body());
    assert.deepEqual([made["acknowledged_by"], made["finding_key"]], ["Ada", ""]);
    const again = await routes.ask("POST", `${PATH}/acknowledgments`, body());
    assert.deepEqual([again.status, (again.body["error"] as { code: string }).code], [409, "already_acknowledged"]);
    const { container_id, finding_type, ...person } = body();
    const many = await routes.check("POST", `${PATH}/acknowledgments:bulk`, {}, { findings: [{ container_id, finding_type }], ...person });
    assert.partialDeepStrictEqual(many, { acknowledgments: [], skipped: [{ container_id: 1, code: "already_acknowledged" }] });
    assert.equal((await routes.check("GET", `${PATH}/acknowledgments`, { container_id: 1 }))["total"], 1);
    assert.equal((await routes.ask("DELETE", `${PATH}/acknowledgments/${Number(made["id"])}`)).status, 204);
    assert.equal((await routes.ask("DELETE", `${PATH}/acknowledgments/${Number(made["id"])}`)).status, 404);
  });

  const faults: [body: object, path: string, isNoFinding?: boolean][] = [
    [body({ finding_type: "database_port_exposed" }), "finding_type", true],
    [body({ finding_key: "80/tcp" }), "finding_key", true],
    [body({ finding_key: "x".repeat(65) }), "finding_key"],
    [body({ finding_type: "everything" }), "finding_type"],
    [body({ acknowledged_by: " " }), "acknowledged_by"],
    [body({ reason: "" }), "reason"],
    [body({ reason: "x".repeat(501) }), "reason"],
    [body({ reason: undefined }), "reason"],
    [body({ until: "tomorrow" }), "until"],
    [body({ container_id: "1" }), "container_id"],
  ];
  for (const [given, path, isNoFinding = false] of faults) {
    it(`name ${path} of ${JSON.stringify(given).slice(0, 100)}`, async () => {
      const answer = await routes.ask("POST", `${PATH}/acknowledgments`, given);
      const { error } = answer.body as { error: { code: string; details: { path: string }[] } };
      const refusal = isNoFinding ? [409, "unusable_values"] : [400, "validation_failed"];
      assert.deepEqual([answer.status, error.code, error.details.map((fault) => fault.path)], [...refusal, [path]]);
    });
  }

  it("bound how many are acknowledged at once", async () => {
    const { container_id, finding_type, ...person } = body();
    for (const count of [0, 501]) {
      const findings = Array.from({ length: count }, () => ({ container_id, finding_type }));
      const answer = await routes.ask("POST", `${PATH}/acknowledgments:bulk`, { findings, ...person });
      const { error } = answer.body as { error: { code: string; details: { path: string }[] } };
      assert.deepEqual([answer.status, error.code, error.details[0]?.path], [400, "validation_failed", "findings"]);
    }
  });

  it("refuse what is not there, and bad queries", async () => {
    assert.equal((await routes.ask("POST", `${PATH}/acknowledgments`, body({ container_id: 4711 }))).status, 404);
    for (const url of ["insights/4711", "posture/containers/4711"]) assert.equal((await routes.ask("GET", `${PATH}/${url}`)).status, 404);
    assert.equal((await routes.ask("GET", `${PATH}/insights?order=desc`)).status, 409);
    for (const url of [
      "insights?severity=low",
      "insights?sort=colour",
      "insights?limit=0",
      "insights?agent_id=x",
      "insights/x",
      "posture?days=401",
      "summary?x=1",
    ])
      assert.equal((await routes.ask("GET", `${PATH}/${url}`)).status, 400, url);
  });

  it("gate the posture, and nothing else", async () => {
    const gated = createTestServer({ routes: watched.security.routes, gate: (capability) => requireCapability("community", capability) });
    try {
      const asked = declaredRoutes(gated, watched.security.routes);
      for (const url of ["posture", "posture/containers", "posture/containers/1"]) {
        const { status, body: answer } = await asked.ask("GET", `${PATH}/${url}`);
        assert.deepEqual([status, (answer["error"] as { code: string }).code], [403, "EDITION_REQUIRED"], url);
      }
      for (const url of ["insights", "insights/1", "summary", "acknowledgments"])
        assert.equal((await asked.ask("GET", `${PATH}/${url}`)).status, 200, url);
    } finally {
      await gated.stop();
    }
  });
});
