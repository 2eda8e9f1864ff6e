import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type CheckedEndpoints, failure, httpCheck, labelled, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { labelEndpointKey, standaloneEndpointKey } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { CheckRecord, EndpointRecord } from "./answers.ts";
import type { Check } from "./checks/head.ts";
import type { CheckHistory } from "./checks/history.ts";
import { notChecked } from "./endpoint.ts";
import { createProjection } from "./projection.ts";
import { newTally } from "./tally.ts";
import { endpointTools } from "./tools.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const AGENT = randomUUID();
const WEB = "a".repeat(64);

interface History {
  endpoint: EndpointRecord;
  from: string;
  until: string;
  summary: Record<string, unknown> | null;
  checks: CheckRecord[];
  total: number;
  next_cursor: string | null;
}

describe("the tools of endpoints", () => {
  const clock = createFakeClock(new Date("2026-03-01T10:00:00Z"));
  let database: Database;
  let checked: CheckedEndpoints;
  let shop: EndpointRecord;

  const call = (name: string, args: Record<string, unknown> = {}) => callTool(checked.endpoints.tools(), name, args);
  const history = async (args: Record<string, unknown> = {}): Promise<History> =>
    (await call("get_endpoint_history", { endpoint_id: shop.id, ...args })) as unknown as History;
  const names = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call("list_endpoints", args))["endpoints"] as EndpointRecord[]).map(({ name }) => name);

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    checked = await startEndpoints({ database, clock });
    await checked.show({ externalId: WEB, name: "web", endpoints: [labelled()] });
    await checked.see(AGENT, {
      kind: "container.inventory",
      observedAt: clock.now(),
      containers: [sighting({ externalId: "b".repeat(64), name: "far", endpoints: [labelled()] })],
    });
    shop = await checked.create({ name: "shop", target: "https://user:hunter2@shop.test/", failure_threshold: 1 });
    await checked.create({ name: "api", type: "tcp", target: "db.test:5432" });
    await checked.checked(labelEndpointKey(WEB, "service.endpoint.http"));
    // One check a minute for two hours; every fourth of the last 40 fails, the last of them too.
    for (let minute = 119; minute >= 0; minute -= 1) {
      clock.jump(new Date(NOON.getTime() - minute * 60_000));
      const result = minute < 40 && minute % 4 === 0 ? failure : { responseTimeMs: minute };
      await checked.checked(standaloneEndpointKey(shop.id), result);
    }
  });
  after(async () => {
    await checked.stop();
    await database.stop();
  });

  it("are declared", () => checkTools(checked.endpoints.tools()));

  it("list what needs somebody first, with why", async () => {
    const listed = await call("list_endpoints");
    const [first] = listed["endpoints"] as EndpointRecord[];
    assert.partialDeepStrictEqual(first, {
      id: shop.id,
      name: "shop",
      status: "down",
      status_since: NOON.toISOString(),
      last_error: "The answer was 503, not 2xx.",
      last_failure_class: "http",
    });
    assert.deepEqual([listed["counts"], listed["total"]], [{ up: 1, down: 1, degraded: 0, unknown: 2 }, 4]);
    assert.ok(!JSON.stringify(listed).includes("hunter2"));
  });

  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{ status: "down" }, ["shop"]],
    [{ container_id: 1 }, ["web"]],
    [{ search: "DB.test" }, ["api"]],
    [{ agent_id: AGENT }, ["far"]],
    [{ agent_id: "local", status: "unknown" }, ["api"]],
    [{ limit: 2 }, ["shop", "api"]],
    [{ limit: 2, cursor: "after-2" }, ["far", "web"]],
  ];
  for (const [args, expected] of filters) {
    it(`list by ${JSON.stringify(args)}`, async () => assert.deepEqual(await names(args), expected));
  }

  it("cover the last 24 hours, in total and one by one", async () => {
    const { endpoint, from, until, summary, checks, total, next_cursor: next } = await history();
    assert.deepEqual([endpoint.name, from, until], ["shop", "2026-02-28T12:00:00.000Z", "2026-03-01T12:00:00.000Z"]);
    assert.deepEqual([total, checks.length, checks[0]?.timestamp], [120, 50, NOON.toISOString()]);
    assert.equal(next, `before-${NOON.getTime() - 49 * 60_000}-of-120`);
    assert.ok(summary !== null);
    assert.partialDeepStrictEqual(summary, { checks: 120, failures: 10, unobserved: 0, last_failure_at: NOON.toISOString() });
    assert.partialDeepStrictEqual(summary, {
      failures_by_class: { http: 10, dns: 0 },
      response_time_p50_ms: 59,
      response_time_p95_ms: 113,
    });
    // Nine failures that were over after the longest that a check speaks for, one that has only begun.
    assert.equal(summary["uptime_percent"], 92.43);
  });

  it("page without a check twice, though new ones come", async () => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: History = await history({ limit: 50, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.checks.map(({ id }) => id));
      assert.deepEqual([page.total, page.summary === null], [120, cursor !== null]);
      cursor = page.next_cursor;
      await clock.advance(1000);
      await checked.checked(standaloneEndpointKey(shop.id), failure);
    } while (cursor !== null);
    assert.deepEqual([seen.length, new Set(seen).size], [120, 120]);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => b - a),
    );
  });

  it("look back as far as they are asked to", async () => {
    await clock.advance(1000);
    await checked.checked(standaloneEndpointKey(shop.id), { success: false, observed: false, responseTimeMs: null });
    assert.partialDeepStrictEqual((await history({ range: "1h" })).summary, { checks: 63, unobserved: 1 });
    assert.equal((await history({ since: "2026-03-01T12:30:00+01:00" })).from, "2026-03-01T11:30:00.000Z");
    const failures = await history({ failures_only: true, limit: 5, range: "6h" });
    assert.deepEqual(
      [failures.total, failures.checks.length, failures.checks.every(({ success, observed }) => !success && observed)],
      [13, 5, true],
    );
    assert.equal(failures.summary?.["checks"], 123);
  });

  it("say what is wrong with a question", async () => {
    const rows: [args: Record<string, unknown>, code: "not_found" | "invalid_request"][] = [
      [{ endpoint_id: 4711 }, "not_found"],
      [{ range: "1h", since: NOON.toISOString() }, "invalid_request"],
      [{ cursor: "after-50" }, "invalid_request"],
      [{ cursor: "before-50" }, "invalid_request"],
    ];
    for (const [args, code] of rows) await assert.rejects(history(args), (error) => isServiceError(error, code), JSON.stringify(args));
    await assert.rejects(call("list_endpoints", { cursor: "x" }), (error) => isServiceError(error, "invalid_request"));
    for (const args of [{ endpoint_id: 0 }, { range: "2h" }, { since: "yesterday" }, { limit: 201 }, { more: 1 }])
      await assert.rejects(history(args), { name: "ZodError" }, JSON.stringify(args));
  });

  it("leave out what was removed", async () => {
    await checked.show({ externalId: WEB, name: "web", endpoints: [] });
    assert.deepEqual(await names({ agent_id: "local" }), ["shop", "api"]);
  });
});

describe("the history of an endpoint with many checks", () => {
  const NEWEST = 60_000;
  const clock = createFakeClock(new Date(NEWEST * 1000));
  /** One a second; the first of ten thousand fails. */
  const all: Check[] = Array.from({ length: NEWEST }, (_, index) => ({
    atMs: (NEWEST - index) * 1000,
    success: (NEWEST - index) % 10_000 !== 1,
    observed: true,
    replayed: false,
    late: false,
    wentDown: false,
    responseTimeMs: 1,
    httpStatus: null,
    failureClass: null,
    error: null,
  }));
  let asked: number[] = [];
  const page: CheckHistory["page"] = async (_id, { fromMs, toMs, limit, offset }) => {
    asked.push(limit);
    const found = all.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return { checks: found.slice(offset, offset + limit), total: found.length };
  };
  const projection = createProjection();
  projection.put(
    {
      id: 1,
      agentId: null,
      container: null,
      labelKey: null,
      name: "busy",
      callerKey: null,
      check: httpCheck(),
      alerts: { severity: "critical", channels: [], tags: [] },
      paused: false,
      inactiveSince: null,
      createdAt: NOON,
      updatedAt: NOON,
      state: notChecked(NOON),
    },
    newTally(),
  );
  const ask = async (args: Record<string, unknown>, signal?: AbortSignal): Promise<History> => {
    asked = [];
    const tools = endpointTools({ projection, history: { page }, clock });
    return (await callTool(tools, "get_endpoint_history", { endpoint_id: 1, ...args }, signal)) as unknown as History;
  };

  it("sums up the last 50,000, and says so", async () => {
    const { summary, total, next_cursor: cursor } = await ask({ limit: 5 });
    assert.partialDeepStrictEqual(summary, { checks: 50_000, failures: 5, counted_from: new Date(10_001_000).toISOString() });
    assert.equal(total, NEWEST);
    assert.ok(Math.max(...asked) <= 5_000);
    const later = await ask({ limit: 5, cursor });
    assert.deepEqual([later.summary, later.total, asked], [null, NEWEST, [6]]);
    assert.equal((await ask({ since: new Date(10_001_000).toISOString() })).summary?.["counted_from"], null);
  });

  it("leads to failures before them", async () => {
    const times: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { checks, next_cursor: next }: History = await ask({
        failures_only: true,
        limit: 5,
        ...(cursor === undefined ? {} : { cursor }),
      });
      times.push(...checks.map(({ timestamp }) => timestamp));
      cursor = next;
    }
    assert.deepEqual(
      times,
      [50_001, 40_001, 30_001, 20_001, 10_001, 1].map((second) => new Date(second * 1000).toISOString()),
    );
  });

  it("stops when nobody waits any more", async () => {
    await assert.rejects(ask({}, AbortSignal.abort(new Error("gone"))), /gone/);
    assert.deepEqual(asked, []);
  });
});
