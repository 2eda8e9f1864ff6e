import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats } from "../../../test/support/heartbeats.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { SORT_KEYS } from "./api.ts";
import type { HeartbeatRecord } from "./answers.ts";

let database: Database;
let jobs: OpenedHeartbeats;
let server: HttpServer;
let routes: DeclaredRoutes;

before(async () => {
  database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
  await database.start();
  jobs = await openHeartbeats(database, createFakeClock());
  server = createTestServer({ routes: jobs.routes, config: { trustedProxies: { includes: () => true } } });
  routes = declaredRoutes(server, jobs.routes);
});
after(async () => {
  await server.stop();
  await database.stop();
});

const ALL = "/api/v1/heartbeats";
const ONE = `${ALL}/{id}`;

describe("the routes of heartbeats", () => {
  it("answer as they declare", async () => {
    const { id } = await routes.check("POST", ALL, {}, { name: "  back\u0007up ", interval_seconds: 60, tags: ["a", "a", "b"] });
    const { heartbeat } = await routes.check("GET", ONE, { id });
    assert.partialDeepStrictEqual(heartbeat, { name: "back up", tags: ["a", "b"], schedule: "interval", max_runtime_seconds: null });
    await jobs.ping(jobs.service.detail(Number(id)).heartbeat, "start");
    assert.partialDeepStrictEqual(await routes.check("PUT", ONE, { id }, { grace_seconds: 0, max_runtime_seconds: 5 }), {
      name: "back up",
      grace_seconds: 0,
      max_runtime_seconds: 5,
    });
    for (const below of ["executions", "pings"]) {
      assert.partialDeepStrictEqual(await routes.check("GET", `${ONE}/${below}`, { id, limit: 1 }), {
        heartbeat_id: id,
        total: 1,
        has_more: false,
      });
    }
    assert.equal((await routes.check("POST", `${ONE}/pause`, { id }))["status"], "paused");
    assert.equal((await routes.check("POST", `${ONE}/resume`, { id }))["status"], "started");
    await routes.check("GET", `${ONE}/uptime/daily`, { id, days: 3 });
    assert.equal((await routes.check("GET", ALL, { status: "started", search: "up", agent_id: "local" }))["total"], 1);
    for (const sort of SORT_KEYS) assert.equal((await routes.check("GET", ALL, { sort, order: "desc" }))["total"], 1);
    assert.equal((await routes.ask("GET", `${ALL}?sort=colour`)).status, 400);
    // A record may be sent back as it was read.
    const { name, tags, schedule, interval_seconds, cron, timezone, grace_seconds, max_runtime_seconds } = heartbeat as HeartbeatRecord;
    await routes.check("PUT", ONE, { id }, { name, tags, schedule, interval_seconds, cron, timezone, grace_seconds, max_runtime_seconds });
    await routes.check("DELETE", ONE, { id });
    assert.equal((await routes.ask("GET", `${ALL}/${id}`)).status, 404);
  });

  it("page through a history", async () => {
    const made = await jobs.make();
    for (let index = 0; index < 3; index += 1) await jobs.ping(made, index);
    const page = async (offset: number): Promise<unknown> => {
      const { pings, has_more } = await jobs.service.pings(made.id, { limit: 2, offset });
      return [pings.map(({ exit_code: code }) => code), has_more];
    };
    assert.deepEqual(
      [await page(0), await page(2)],
      [
        [[2, 1], true],
        [[0], false],
      ],
    );
  });

  const cases: [what: string, body: object, path: string, sentence: RegExp][] = [
    ["no schedule", { name: "x" }, "schedule", /Send interval_seconds or cron/],
    ["two schedules", { name: "x", interval_seconds: 60, cron: "* * * * *" }, "cron", /exclude each other/],
    ["a schedule without its interval", { name: "x", schedule: "interval" }, "interval_seconds", /how often the job runs/],
    ["a schedule without its line", { name: "x", schedule: "cron" }, "cron", /Send the cron line/],
    ["a line with the schedule interval", { name: "x", schedule: "interval", cron: "* * * * *" }, "cron", /has no cron line/],
    ["an interval with the schedule cron", { name: "x", schedule: "cron", interval_seconds: 60 }, "interval_seconds", /has no interval/],
    ["a line that never fires", { name: "x", cron: "0 0 30 2 *" }, "cron", /never fires/],
    ["a line that cannot be read", { name: "x", cron: "soon" }, "cron", /five fields/],
    [
      "a zone that does not exist",
      { name: "x", cron: "* * * * *", timezone: "Mars/Olympus" },
      "timezone",
      /There is no time zone "Mars\/Olympus"/,
    ],
    ["an interval of 29 seconds", { name: "x", interval_seconds: 29 }, "interval_seconds", />=30/],
    ["an interval of two years", { name: "x", interval_seconds: 63_072_000 }, "interval_seconds", /<=31536000/],
    ["half a second of grace", { name: "x", interval_seconds: 60, grace_seconds: 0.5 }, "grace_seconds", /int/],
    ["eight days of grace", { name: "x", interval_seconds: 60, grace_seconds: 691_200 }, "grace_seconds", /<=604800/],
    ["no max runtime at all", { name: "x", interval_seconds: 60, max_runtime_seconds: 0 }, "max_runtime_seconds", />=1/],
    ["an empty name", { name: " \u0000 ", interval_seconds: 60 }, "name", /Must not be empty/],
    ["a name of 256 characters", { name: "x".repeat(256), interval_seconds: 60 }, "name", /at most 255/],
    ["a tag with a comma", { name: "x", interval_seconds: 60, tags: ["a,b"] }, "tags.0", /comma/],
    ["an unknown key", { name: "x", interval_seconds: 60, uuid: randomUUID() }, "uuid", /Unknown key/],
  ];
  for (const [what, body, path, sentence] of cases) {
    it(`refuse ${what}, and name the field`, async () => {
      const { status, body: answer } = await routes.ask("POST", ALL, body);
      const { error } = answer as { error: { code: string; message: string; details: { path: string; message: string }[] } };
      const isOfSchedule =
        ["schedule", "cron", "timezone"].includes(path) || / has no interval| its interval/.test(`${what} ${sentence.source}`);
      assert.deepEqual([status, error.code], isOfSchedule ? [409, "unusable_values"] : [400, "validation_failed"], JSON.stringify(answer));
      assert.ok(
        error.details.some((fault) => fault.path === path && sentence.test(fault.message)),
        JSON.stringify(error),
      );
    });
  }

  it("report all faults at once, and leave a heartbeat as it was", async () => {
    const made = await jobs.make();
    const { body } = await routes.ask("PUT", `${ALL}/${made.id}`, { cron: "60 * * * *", timezone: "Nowhere" });
    assert.deepEqual(
      (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
      ["timezone", "cron"],
    );
    assert.deepEqual(jobs.now(made), made);
  });

  it("know no heartbeat that is not there", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["GET", "/pings"],
      ["GET", "/executions"],
      ["GET", "/uptime/daily"],
    ] as const) {
      const { status } = await routes.ask(method, `${ALL}/4711${path}`, method === "PUT" ? { name: "x" } : undefined);
      assert.equal(status, 404, `${method} ${path}`);
    }
  });
});

describe("the ping routes", () => {
  /** From another address each time, so that the limits do not matter. */
  let address = 0;
  const send = (method: "GET" | "POST" | "HEAD" | "PUT", url: string, payload?: string | Buffer, headers: Record<string, string> = {}) =>
    server.fastify.inject({
      method,
      url,
      headers: { "x-forwarded-for": `10.0.${address >> 8}.${address++ % 256}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  it("take every signal with GET, POST and HEAD, and answer what they declare", async () => {
    const made = await jobs.make();
    const sent: string[] = [];
    for (const method of ["GET", "POST", "HEAD"] as const) {
      for (const path of ["", "/start", "/0", "/255", "/fail", "/log", `/start?rid=${randomUUID()}`, "?utm_source=mail"]) {
        const answer = await send(method, `/ping/${made.uuid}${path}`);
        assert.equal(answer.statusCode, 200, `${method} ${path}`);
        assert.equal(answer.headers["cache-control"], "no-store");
        if (method !== "HEAD") assert.deepEqual(answer.json(), { ok: true });
        sent.push(method);
      }
    }
    const pings = await jobs.pings(made);
    assert.deepEqual(
      pings.map(({ method }) => method),
      sent,
    );
    assert.deepEqual(
      pings.slice(0, 6).map(({ kind, exit_code: code }) => [kind, code]),
      [
        ["success", null],
        ["start", null],
        ["exit_code", 0],
        ["exit_code", 255],
        ["fail", null],
        ["log", null],
      ],
    );
  });

  it("keep where a ping came from, cleaned, and the beginning of its body", async () => {
    const made = await jobs.make();
    const uuid = `/ping/${made.uuid}`;
    await send("POST", uuid, "done", { "x-forwarded-for": "203.0.113.7", "user-agent": `cu\trl ${"x".repeat(300)}` });
    await send("POST", uuid, `${"a".repeat(10_239)}ü and more`, { "content-type": "application/json" });
    await send("POST", uuid, Buffer.from([0x6f, 0x00, 0xff, 0x6b]));
    const [first, second, third] = await jobs.pings(made);
    assert.partialDeepStrictEqual(first, { source_ip: "203.0.113.7", body: "done" });
    assert.match(first?.user_agent ?? "", /^cu rl x{248}…$/);
    assert.equal(second?.body, "a".repeat(10_239), "without half a character");
    assert.equal(third?.body, "o\ufffd\ufffdk");
  });

  const refused: [what: string, path: string, status: number, sentence: RegExp][] = [
    ["exit code -1", "/-1", 400, /"-1" is not an exit code: a whole number from 0 to 255/],
    ["exit code 256", "/256", 400, /"256" is not an exit code/],
    ["exit code 1e9", "/1e9", 400, /"1e9" is not an exit code/],
    ["exit code 1000000000", "/1000000000", 400, /"1000000000" is not an exit code/],
    ["exit code 1.5", "/1.5", 400, /is not an exit code/],
    ["a word", "/begin", 400, /"begin" is not an exit code.*or start, fail or log/],
    ["a rid that is none", "/start?rid=1", 400, /rid: Must be a UUID/],
    ["two rids", `/start?rid=${randomUUID()}&rid=${randomUUID()}`, 400, /rid/],
    ["a longer path", "/start/now", 404, /nothing at this address/],
  ];
  for (const [what, path, status, sentence] of refused) {
    it(`refuse ${what}, and keep nothing`, async () => {
      const made = await jobs.make();
      for (const method of ["GET", "POST"] as const) {
        const answer = await send(method, `/ping/${made.uuid}${path}`);
        assert.equal(answer.statusCode, status);
        assert.match(answer.json().error.message, sentence);
      }
      assert.deepEqual(await jobs.pings(made), []);
    });
  }

  it("know neither an unknown uuid nor what is none, and nothing at their root", async () => {
    for (const path of [`/ping/${randomUUID()}`, "/ping/1", "/ping/__proto__", `/ping/${"x".repeat(200)}/start`, "/ping", "/ping/"]) {
      for (const method of ["GET", "POST"] as const) {
        const answer = await send(method, path, undefined, { accept: "text/html" });
        assert.equal(answer.statusCode, 404, `${method} ${path}`);
        assert.equal(answer.json().error.code, "not_found");
      }
    }
    assert.equal((await send("PUT", `/ping/${randomUUID()}`)).statusCode, 405);
  });

  it("are limited to ten a second of one client, twenty at once", async () => {
    const made = await jobs.make();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send("GET", `/ping/${made.uuid}`, undefined, { "x-forwarded-for": "198.51.100.1" })),
    );
    const passed = answers.filter(({ statusCode }) => statusCode === 200).length;
    assert.ok(passed >= 20 && passed < 30, `${passed} passed`);
    assert.equal((await jobs.pings(made)).length, passed);
    assert.equal(answers.find(({ statusCode }) => statusCode === 429)?.headers["retry-after"], "1");
  });
});
