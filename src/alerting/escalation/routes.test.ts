import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ESCALATION_BOUNDS } from "../../contract/notifications.ts";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createContext, levelsOf, openEscalation, type OpenedEscalation } from "../../../test/support/escalation.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const ALL = "/api/v1/escalation-policies";
const ONE = `${ALL}/{id}`;

let database: Database;
let chain: OpenedEscalation;
let server: HttpServer;
let routes: DeclaredRoutes;
let granted = true;

before(async () => {
  database = openSqlite({ path: `${temporaryFolder()}/escalation.db`, clock: systemClock, log: silentLog });
  await database.start();
  chain = await openEscalation(database, createFakeClock(), createContext());
  server = createTestServer({
    routes: chain.routes,
    config: { trustedProxies: { includes: () => true }, adminToken: "secret-admin-token" },
    gate: (capability) => {
      if (!granted) throw new ServiceError("EDITION_REQUIRED", `${capability} needs the Pro edition.`);
    },
  });
  const open = createTestServer({ routes: chain.routes, config: { trustedProxies: { includes: () => true } } });
  routes = declaredRoutes(open, chain.routes);
});
after(async () => {
  await server.stop();
  await database.stop();
});

describe("the routes of escalation", () => {
  it("answer as they declare", async () => {
    const body = {
      name: "  Nights\u0007 ",
      levels: levelsOf([0, 1, 1], [60, 2]),
      filters: { severities: ["critical"], tags: ["db", "db"] },
    };
    const made = await routes.check("POST", ALL, {}, body);
    const { id } = made;
    assert.partialDeepStrictEqual(made, {
      name: "Nights",
      active: true,
      filters: { severities: ["critical"], tags: ["db"] },
      levels: [
        { delay_seconds: 0, channel_ids: [1] },
        { delay_seconds: 60, channel_ids: [2] },
      ],
    });
    assert.deepEqual(await routes.check("GET", ONE, { id }), made);
    const { name, active, filters, levels } = made;
    assert.partialDeepStrictEqual(await routes.check("PUT", ONE, { id }, { name, active, filters, levels }), {
      name,
      active,
      filters,
      levels,
    });
    assert.partialDeepStrictEqual(await routes.check("PUT", ONE, { id }, { filters: { tags: [] } }), {
      filters: { severities: ["critical"], tags: [] },
    });
    assert.equal((await routes.check("PATCH", `${ONE}/active`, { id }, { active: false }))["active"], false);
    assert.equal((await routes.check("PATCH", `${ONE}/active`, { id }, { active: true }))["active"], true);
    assert.equal((await routes.check("GET", ALL))["total"], 1);

    const probe = await routes.check("POST", `${ALL}/overlap-probe`, {}, { levels: levelsOf([5, 2]), filters: { tags: ["web"] } });
    assert.deepEqual(probe["overlapping"], [
      { policy_id: id, policy_name: "Nights", shared_severities: ["critical"], shared_tags: ["web"], shared_channels: [2] },
    ]);
    const own = await routes.check("POST", `${ALL}/overlap-probe`, {}, { policy_id: id, name, levels: levelsOf([5, 2]) });
    assert.deepEqual(own["overlapping"], []);

    await chain.fire();
    const found = await routes.check("GET", "/api/v1/alerts/{id}/escalation-runs", { id: 1 });
    assert.partialDeepStrictEqual(found, { total: 1, runs: [{ id: 1, alert_id: 1 }] });
    assert.partialDeepStrictEqual(await routes.check("GET", "/api/v1/escalation-runs/{id}", { id: 1 }), {
      deliveries: [{ kind: "level" }],
    });
    assert.partialDeepStrictEqual(await routes.check("GET", `${ONE}/runs`, { id, limit: 1 }), { total: 1, has_more: false });
    assert.deepEqual(chain.users(2), ['escalation policy "Nights"']);
    assert.deepEqual(chain.users(3), []);
    await routes.check("DELETE", ONE, { id });
    for (const path of [`${ALL}/${id}`, `${ALL}/${id}/runs`, "/api/v1/alerts/77/escalation-runs", "/api/v1/escalation-runs/77"]) {
      assert.equal((await routes.ask("GET", path)).status, 404, path);
    }
    assert.deepEqual(chain.users(2), []);
    assert.deepEqual(
      chain.events.filter(({ type }) => type.startsWith("policy.")).map(({ type }) => type),
      ["policy.created", ...Array(4).fill("policy.updated"), "policy.deleted"],
    );
  });

  it("report every fault at once, and save nothing", async () => {
    const body = {
      name: " ",
      colour: "red",
      filters: { severities: ["critical", "dreadful"], tags: ["a,b"] },
      levels: [
        { delay_seconds: 60, channel_ids: [1] },
        { delay_seconds: 60, channel_ids: [2, 99] },
        { delay_seconds: 86_401, channel_ids: [] },
      ],
    };
    const pathsOf = async (method: "POST" | "PUT", path: string, given: object): Promise<string[]> => {
      const { status, body: answer } = await routes.ask(method, path, given);
      assert.partialDeepStrictEqual([status, answer], [400, { error: { code: "validation_failed" } }]);
      const { details } = answer["error"] as { details: { path: string }[] };
      return details.map((each) => each.path).sort();
    };
    assert.deepEqual(await pathsOf("POST", ALL, body), [
      "colour",
      "filters.severities.1",
      "filters.tags.0",
      "levels.1.delay_seconds",
      "levels.2.channel_ids",
      "levels.2.delay_seconds",
      "name",
    ]);
    const order = { name: " ", levels: levelsOf([60, 1], [60, 2, 99], [30, 98]) };
    const faults = ["levels.1.channel_ids.1", "levels.1.delay_seconds", "levels.2.channel_ids.0", "levels.2.delay_seconds", "name"];
    assert.deepEqual(await pathsOf("POST", ALL, order), faults);
    assert.deepEqual(await pathsOf("POST", `${ALL}/overlap-probe`, order), faults);
    const made = await routes.check("POST", ALL, {}, { name: "Days", levels: levelsOf([0, 1]) });
    assert.deepEqual(await pathsOf("PUT", `${ALL}/${String(made["id"])}`, order), faults);
    assert.deepEqual(await routes.check("GET", ONE, { id: made["id"] }), made);
    for (const bad of [{ levels: [] }, { levels: levelsOf(...Array.from({ length: 11 }, (_, index): [number, number] => [index, 1])) }]) {
      assert.deepEqual(await pathsOf("POST", ALL, { name: "x", ...bad }), ["levels"]);
    }
    for (const bad of [{}, { active: "yes" }, { active: true, name: "x" }]) {
      assert.equal((await routes.ask("PATCH", `${ALL}/${String(made["id"])}/active`, bad)).status, 400);
    }
    assert.equal((await routes.check("GET", ALL))["total"], 1);
  });

  it("refuse more policies than are allowed", async () => {
    for (let index = 1; index < ESCALATION_BOUNDS.policies; index += 1)
      await routes.check("POST", ALL, {}, { name: `p${index}`, levels: levelsOf([0, 1]) });
    const refused = await routes.ask("POST", ALL, { name: "one more", levels: levelsOf([0, 1]) });
    assert.partialDeepStrictEqual(refused, { status: 409, body: { error: { code: "conflict" } } });
  });

  it("answer EDITION_REQUIRED below Pro, with credentials and without", async () => {
    granted = false;
    for (const { method, path } of chain.routes) {
      for (const headers of [{}, { authorization: "Bearer secret-admin-token" }, { authorization: "Bearer wrong" }]) {
        const answer = await server.fastify.inject({ method, url: path.replace("{id}", "1"), headers });
        assert.equal(answer.statusCode, 403, `${method} ${path}`);
        assert.partialDeepStrictEqual(answer.json(), { error: { code: "EDITION_REQUIRED" } });
      }
    }
    granted = true;
    assert.equal((await server.fastify.inject({ method: "GET", url: ALL })).statusCode, 401);
  });
});
