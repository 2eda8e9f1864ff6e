import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { hostReading, sampled } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { loadRoute } from "../../http/route-shapes.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";

describe("the routes of resources", () => {
  const clock = createFakeClock();
  let database: Database;
  let watching: Watching;
  let server: HttpServer;
  let id: number;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    watching = await startWatching({ database, clock });
    server = createTestServer({ routes: watching.resources.routes });
    await watching.show({ externalId: "a", name: "web" });
    id = watching.id("a");
    await watching.see(
      null,
      { kind: "host.sampled", observedAt: clock.now(), host: hostReading() },
      sampled(clock.now(), { a: { cpuPercent: 50, cpuCoresUsed: 1, memoryBytes: 250, memoryLimitBytes: 1000 } }),
    );
  });
  after(async () => {
    await watching.stop();
    await server.stop();
    await database.stop();
  });

  async function ask(method: "GET" | "PUT" | "DELETE", url: string, body?: unknown) {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await server.fastify.inject({ method, url, ...payload });
    return { status: answer.statusCode, body: answer.body === "" ? {} : z.record(z.string(), z.unknown()).parse(answer.json()) };
  }

  /** What a route answers, held against what it declares; nothing undeclared may be in it. */
  async function check(method: "GET" | "PUT" | "DELETE", path: string, url: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await ask(method, url, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const route = watching.resources.routes.find((each) => each.method === method && each.path === path);
    const declared = route && (await loadRoute(route)).responses[200];
    assert.ok(declared instanceof z.ZodObject);
    assert.deepEqual(declared.strict().parse(answer.body), answer.body);
    return answer.body;
  }

  it("answer as they declare", async () => {
    const of = (what: string): [path: string, url: string] => [
      `/api/v1/containers/{id}/resources/${what}`,
      `/api/v1/containers/${id}/resources/${what}`,
    ];
    assert.equal((await check("GET", ...of("current")))["cpu_percent"], 50);
    assert.equal((await check("GET", ...of("history")))["step_seconds"], 10);
    const [path, url] = of("history");
    assert.equal((await check("GET", path, `${url}?range=6h`))["step_seconds"], 30);
    assert.equal((await check("GET", ...of("alerts")))["configured"], false);
    assert.partialDeepStrictEqual(await check("PUT", ...of("alerts"), {}), {
      configured: true,
      cpu_threshold: 90,
      memory_threshold: 90,
      debounce_seconds: 60,
    });
    assert.partialDeepStrictEqual(
      await check("PUT", ...of("alerts"), { cpu_threshold: null, memory_threshold: 12.5, debounce_seconds: 0 }),
      {
        cpu_threshold: null,
        memory_threshold: 12.5,
        debounce_seconds: 0,
      },
    );
    const list = "/api/v1/resources/thresholds";
    assert.partialDeepStrictEqual(await check("GET", list, list), { total: 1, thresholds: [{ container_id: id, memory_threshold: 12.5 }] });
    assert.equal((await check("GET", list, `${list}?agent_id=${AGENT}`))["total"], 0);
    const scope = `${list}/{entity_type}/{entity_id}`;
    const group = `${list}/group/${encodeURIComponent("a/b: 100 %")}`;
    const set = { entity_type: "group", entity_id: "a/b: 100 %", cpu_threshold: 80, memory_threshold: 90, debounce_seconds: 60 };
    assert.deepEqual(await check("PUT", scope, group, { cpu_threshold: 80 }), { ...set, containers: 0, exceeded: 0 });
    assert.partialDeepStrictEqual(await check("GET", scope, group), set);
    assert.partialDeepStrictEqual(await check("PUT", scope, `${list}/agent/LOCAL`, {}), { entity_id: "local", containers: 0 });
    assert.partialDeepStrictEqual(await check("DELETE", ...of("alerts")), {
      configured: true,
      source: { entity_type: "agent", entity_id: "local" },
    });
    assert.equal(z.array(z.unknown()).parse((await check("GET", list, list))["scopes"]).length, 2);
    for (const each of [group, `${list}/agent/local`]) assert.equal((await ask("DELETE", each)).status, 204);
    assert.equal((await ask("GET", group)).status, 404);
    assert.partialDeepStrictEqual(await check("GET", ...of("alerts")), { configured: false, source: null });
    assert.equal((await check("GET", "/api/v1/resources/summary", "/api/v1/resources/summary"))["hostname"], "harbour");
    assert.equal((await check("GET", "/api/v1/resources/top", "/api/v1/resources/top?sort=memory&limit=1"))["sort"], "memory");
    assert.partialDeepStrictEqual(await check("GET", "/api/v1/resources/top", "/api/v1/resources/top?by=use"), {
      by: "use",
      yesterday: null,
    });
    const { hosts } = await check("GET", "/api/v1/resources/hosts", "/api/v1/resources/hosts");
    assert.equal(z.array(z.unknown()).parse(hosts).length, 1);
    const sparklines = "/api/v1/resources/sparklines";
    for (const [query, count] of [
      ["", 1],
      ["?agent_id=local", 1],
      [`?agent_id=${AGENT}`, 0],
    ] as const) {
      const { containers } = await check("GET", sparklines, sparklines + query);
      assert.equal(z.array(z.unknown()).parse(containers).length, count);
    }
  });

  const refused: [what: string, method: "GET" | "PUT" | "DELETE", path: string, status: number, code: string, body?: unknown][] = [
    ["an unknown container", "GET", "/api/v1/containers/4711/resources/current", 404, "not_found"],
    ["an unknown container's history", "GET", "/api/v1/containers/4711/resources/history", 404, "not_found"],
    ["an unknown container's thresholds", "PUT", "/api/v1/containers/4711/resources/alerts", 404, "not_found", {}],
    ["an id that is none", "GET", "/api/v1/containers/x/resources/current", 400, "invalid_request"],
    ["an unknown range", "GET", "/api/v1/containers/1/resources/history?range=2h", 400, "invalid_request"],
    ["a range above the edition", "GET", "/api/v1/containers/1/resources/history?range=24h", 403, "EDITION_REQUIRED"],
    ["a threshold of 0", "PUT", "/api/v1/containers/1/resources/alerts", 400, "validation_failed", { cpu_threshold: 0 }],
    ["a threshold of 101", "PUT", "/api/v1/containers/1/resources/alerts", 400, "validation_failed", { memory_threshold: 101 }],
    ["a debounce of half a second", "PUT", "/api/v1/containers/1/resources/alerts", 400, "validation_failed", { debounce_seconds: 0.5 }],
    ["a debounce of two hours", "PUT", "/api/v1/containers/1/resources/alerts", 400, "validation_failed", { debounce_seconds: 7200 }],
    ["an unknown key", "PUT", "/api/v1/containers/1/resources/alerts", 400, "validation_failed", { cpu: 80 }],
    ["thresholds of an unknown host", "PUT", `/api/v1/resources/thresholds/agent/${AGENT}`, 409, "unusable_values", {}],
    ["thresholds of what is neither group nor host", "PUT", "/api/v1/resources/thresholds/endpoint/1", 400, "invalid_request", {}],
    ["a group's name that is too long", "PUT", `/api/v1/resources/thresholds/group/${"x".repeat(256)}`, 400, "invalid_request", {}],
    ["a group's name of nothing", "PUT", "/api/v1/resources/thresholds/group/%20", 400, "invalid_request", {}],
    ["a group's threshold of 0", "PUT", "/api/v1/resources/thresholds/group/x", 400, "validation_failed", { cpu_threshold: 0 }],
    ["to take away what is not set", "DELETE", "/api/v1/resources/thresholds/group/x", 404, "not_found"],
    ["to take away an unknown container's", "DELETE", "/api/v1/containers/4711/resources/alerts", 404, "not_found"],
    ["an unknown sort", "GET", "/api/v1/resources/top?sort=disk", 400, "invalid_request"],
    ["an unknown order", "GET", "/api/v1/resources/top?by=name", 400, "invalid_request"],
    ["growth since yesterday below its edition", "GET", "/api/v1/resources/top?by=growth", 403, "EDITION_REQUIRED"],
    ["a limit of 101", "GET", "/api/v1/resources/top?limit=101", 400, "invalid_request"],
    ["an unknown host", "GET", `/api/v1/resources/summary?agent_id=${AGENT}`, 404, "not_found"],
    ["a host that is no id", "GET", "/api/v1/resources/summary?agent_id=x", 400, "invalid_request"],
  ];
  for (const [what, method, path, status, code, body] of refused) {
    it(`refuse ${what}`, async () => {
      const answer = await ask(method, path, body);
      assert.partialDeepStrictEqual(answer, { status, body: { error: { code } } });
    });
  }
});
