import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { type CheckedEndpoints, checkedObservation, failure, labelled, startEndpoints, success } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { labelEndpointKey } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { EndpointRecord } from "./answers.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const WEB = "a".repeat(64);
const KEY = labelEndpointKey(WEB, "service.endpoint.http");
const DAY_S = 86_400;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let checked: CheckedEndpoints;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    checked = await startEndpoints({ database, clock });
  });
  afterEach(() => checked.stop());

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const restart = async (): Promise<void> => {
    await checked.stop();
    checked = await startEndpoints({ database, clock });
  };
  const show = (facts = {}): Promise<void> => checked.show({ endpoints: [labelled()], ...facts });
  const only = (): EndpointRecord => {
    const [first, second] = checked.list();
    assert.ok(first !== undefined && second === undefined);
    return first;
  };
  const checks = async (id: number, page = {}) => checked.endpoints.service.checks(id, { limit: 100, offset: 0, ...page });
  const types = (): string[] => checked.events.map(({ type }) => type).filter((type) => !type.startsWith("container."));
  /** Checks every 30 seconds, beginning now. */
  async function keepChecking(times: number, result = {}, key = KEY): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await checked.checked(key, result);
      await clock.advance(30_000);
    }
  }

  it("keeps every check, answers them by time and page, and is not changed by the same again", async () => {
    await show();
    const all = Array.from({ length: 10 }, (_, index) =>
      checkedObservation(KEY, after(index * 30), index === 4 ? failure : { responseTimeMs: index }),
    );
    await clock.advance(600_000);
    await checked.see(null, ...all);
    await checked.see(null, ...all.slice(3, 7));
    const { id } = only();
    const first = await checks(id, { limit: 4 });
    assert.deepEqual([first.total, first.has_more, first.checks.map(({ response_time_ms }) => response_time_ms)], [10, true, [9, 8, 7, 6]]);
    const last = await checks(id, { limit: 4, offset: 8 });
    assert.deepEqual([last.has_more, last.checks.length], [false, 2]);
    assert.deepEqual((await checks(id, { limit: 1, offset: 5 })).checks, [
      {
        id: after(120).getTime(),
        success: false,
        observed: true,
        response_time_ms: 12.3,
        http_status: 503,
        failure_class: "http",
        error: "The answer was 503, not 2xx.",
        replayed: false,
        timestamp: after(120).toISOString(),
      },
    ]);
    const within = await checks(id, { since: after(60).toISOString(), until: after(150).toISOString() });
    assert.deepEqual([within.total, within.checks.map(({ timestamp }) => timestamp).at(0)], [4, after(150).toISOString()]);
    assert.equal((await checks(id, { since: after(1000).toISOString() })).total, 0);
  });

  it("answers the same after its checks were sealed, and after a restart at any time", async () => {
    await show();
    await keepChecking(70);
    await keepChecking(3, failure);
    await keepChecking(5);
    const { id } = only();
    const seen = async () => ({
      record: only(),
      checks: await checks(id, { limit: 1000 }),
      days: await checked.endpoints.service.dailyUptime(id, 2),
      detail: await checked.endpoints.service.detail(id),
      sparklines: checked.endpoints.service.sparklines(undefined),
    });
    const before = await seen();
    assert.deepEqual([before.checks.total, before.record.status], [78, "up"]);
    await restart();
    await show();
    assert.deepEqual(await seen(), before);
    await turnUntil(
      clock,
      async () =>
        (await database.tables<{ endpoint_journal: { id: number } }>().read.selectFrom("endpoint_journal").select("id").execute()).length <
        78,
      { stepMs: 100, mostMs: 10_000 },
    );
    clock.jump(after(78 * 30));
    assert.deepEqual((await seen()).checks, before.checks);
    await restart();
    await show();
    assert.deepEqual(await seen(), before);
  });

  it("remembers when it was observed last, over a restart before and after its checks were sealed", async () => {
    await show();
    await keepChecking(1);
    await keepChecking(3, { success: false, observed: false, failureClass: "dns", error: "This host has no resolver." });
    const seen = () => [only().status, only().last_check_at, only().last_observed_at, only().last_error];
    const expected = ["up", after(90).toISOString(), NOON.toISOString(), "This host has no resolver."];
    assert.deepEqual(seen(), expected);
    await restart();
    await show();
    assert.deepEqual(seen(), expected);
    await sealed();
    await restart();
    await show();
    assert.deepEqual(seen(), expected);
  });

  it("seals the journal every half hour", async () => {
    await show();
    await keepChecking(61);
    const { read } = database.tables<{ endpoint_journal: { id: number }; endpoint_chunks: { checks: number } }>();
    await turnUntil(clock, async () => (await read.selectFrom("endpoint_journal").select("id").execute()).length < 5, {
      stepMs: 1000,
      mostMs: 60_000,
    });
    const chunks = await read.selectFrom("endpoint_chunks").select("checks").execute();
    assert.ok(chunks.length === 1 && (chunks[0]?.checks ?? 0) > 55, JSON.stringify(chunks));
    assert.equal((await checks(only().id)).total, 61);
  });

  /** Waits for the next sealing. */
  async function sealed(): Promise<void> {
    const { read } = database.tables<{ endpoint_journal: { id: number } }>();
    const before = await read.selectFrom("endpoint_journal").select("id").orderBy("id", "desc").executeTakeFirst();
    await clock.advance(30 * 60_000);
    const isEmptied = async (): Promise<boolean> => {
      const left = await read.selectFrom("endpoint_journal").select("id").orderBy("id").executeTakeFirst();
      return left === undefined || left.id > (before?.id ?? 0);
    };
    await turnUntil(clock, isEmptied, { stepMs: 1000, mostMs: 60_000 });
  }

  it("puts what came late between the others, sealed or not", async () => {
    await show();
    await clock.advance(3_600_000);
    for (const second of [3000, 3060, 3120]) await checked.checked(KEY, success, after(second));
    await sealed();
    for (const second of [3030, 3090]) await checked.checked(KEY, failure, after(second));
    const seen = async (page = {}) => {
      const { checks: found, total } = await checks(only().id, page);
      return [total, found.map(({ timestamp }) => (Date.parse(timestamp) - NOON.getTime()) / 1000)];
    };
    assert.deepEqual(await seen(), [5, [3120, 3090, 3060, 3030, 3000]]);
    await sealed();
    assert.deepEqual(await seen(), [5, [3120, 3090, 3060, 3030, 3000]]);
    assert.deepEqual(await seen({ limit: 2, offset: 1 }), [5, [3090, 3060]]);
    assert.deepEqual(await seen({ limit: 2, offset: 10 }), [5, []]);
    assert.deepEqual(await seen({ since: after(3030).toISOString(), until: after(3060).toISOString() }), [2, [3060, 3030]]);
  });

  it("seals nothing twice after a crash between sealing and forgetting", async () => {
    await show();
    await keepChecking(5);
    type Journal = {
      endpoint_journal: { id: number; at: number; bytes: Uint8Array; errors: string | null };
      endpoint_chunks: { checks: number };
    };
    const tables = database.tables<Journal>();
    const rows = await tables.read.selectFrom("endpoint_journal").selectAll().execute();
    await sealed();
    await tables.write((tx) => tx.insertInto("endpoint_journal").values(rows).execute());
    await restart();
    await show();
    assert.equal((await checks(only().id)).total, 5);
    await checked.checked(KEY);
    await sealed();
    const chunks = await tables.read.selectFrom("endpoint_chunks").select("checks").execute();
    assert.equal(
      chunks.reduce((sum, { checks: count }) => sum + count, 0),
      6,
    );
    assert.equal((await checked.endpoints.service.dailyUptime(only().id, 1)).days[0]?.checks, 6);
  });

  it("counts as uptime only what was observed", async () => {
    await show();
    await keepChecking(2);
    await keepChecking(1, failure);
    await keepChecking(1);
    await clock.advance(3_600_000);
    assert.equal(only().uptime_24h, 79.31, "60 s, and the 55 s that the last one speaks for, out of 30 s more");
    const { id } = only();
    const { days } = await checked.endpoints.service.dailyUptime(id, 2);
    assert.deepEqual(days, [
      { date: "2026-03-01", uptime_percent: 79.31, checks: 4, incidents: 0 },
      { date: "2026-02-28", uptime_percent: null, checks: 0, incidents: 0 },
    ]);
    await keepChecking(3, { ...failure, observed: false });
    assert.deepEqual((await checked.endpoints.service.dailyUptime(id, 1)).days[0], days[0]);
    assert.equal((await checks(id)).checks[0]?.observed, false);
    assert.equal(only().status, "up");
  });

  it("puts the fall of an endpoint into its day", async () => {
    clock.jump(new Date("2026-03-01T23:59:00Z"));
    await show();
    await keepChecking(1);
    await keepChecking(3, failure);
    await keepChecking(2);
    const { days } = await checked.endpoints.service.dailyUptime(only().id, 2);
    assert.deepEqual(
      days.map(({ date, checks: count, incidents }) => [date, count, incidents]),
      [
        ["2026-03-02", 4, 1],
        ["2026-03-01", 2, 0],
      ],
    );
  });

  it("takes what is older than it knows into the history alone", async () => {
    await show();
    await clock.advance(120_000);
    await checked.checked(KEY, success, after(100));
    checked.events.length = 0;
    for (const second of [40, 70, 40]) await checked.checked(KEY, failure, after(second));
    assert.deepEqual([only().status, types()], ["up", []]);
    const { id } = only();
    assert.deepEqual(
      (await checks(id)).checks.map(({ timestamp }) => timestamp),
      [100, 70, 40].map((second) => after(second).toISOString()),
    );
    await restart();
    await show();
    assert.deepEqual([only().status, only().consecutive_failures, (await checks(id)).total], ["up", 0, 3]);
  });

  it("believes its host after the clock was set back", async () => {
    await show();
    clock.jump(after(7200));
    await checked.checked(KEY);
    clock.jump(after(10));
    await checked.checked(KEY, failure);
    assert.equal(only().consecutive_failures, 1);
  });

  it("replays into the history and the uptime alone, and the same twice changes nothing", async () => {
    await show();
    await clock.advance(3_600_000);
    await checked.checked(KEY);
    checked.events.length = 0;
    const { id } = only();
    for (let time = 0; time < 2; time += 1)
      for (const second of [600, 630, 660])
        await checked.endpoints.record(null, [checkedObservation(KEY, after(second), second === 630 ? failure : success)]);
    await checked.endpoints.record(null, [checkedObservation(labelEndpointKey("other", "service.endpoint.http"), after(600))]);
    assert.deepEqual(checked.events, []);
    assert.partialDeepStrictEqual(only(), { status: "up", consecutive_successes: 1, last_check_at: after(3600).toISOString() });
    assert.deepEqual(
      (await checks(id)).checks.map(({ replayed, success: ok }) => [replayed, ok]),
      [
        [false, true],
        [true, true],
        [true, false],
        [true, true],
      ],
    );
    await clock.advance(60_000);
    const { days } = await checked.endpoints.service.dailyUptime(id, 1);
    assert.deepEqual(days[0], { date: "2026-03-01", uptime_percent: 82.35, checks: 4, incidents: 0 });
  });

  it("has sparklines of the last checks of all, and response times of one over a range", async () => {
    await show();
    await keepChecking(1, { responseTimeMs: 10 });
    await keepChecking(1, failure);
    await keepChecking(1, { responseTimeMs: 30 });
    const { id } = only();
    const { endpoints } = checked.endpoints.service.sparklines("local");
    assert.deepEqual(endpoints, { [id]: { points: [10, null, 30], status: "up", uptime_24h: 66.66 } });
    const { series, step_seconds } = await checked.endpoints.service.responseTimes(id, "6h");
    assert.deepEqual([step_seconds, series.timestamps.length, series.timestamps.at(-1)], [120, 180, NOON.toISOString()]);
    const last = [series.response_time_ms, series.response_time_ms_max, series.checks, series.failures].map((column) => column.slice(-2));
    assert.deepEqual(last, [
      [null, 17.4],
      [null, 30],
      [0, 3],
      [0, 1],
    ]);
  });

  it("forgets what is past its time", async () => {
    await show();
    await checked.create({ name: "stays" });
    await keepChecking(70);
    await show({ endpoints: [] });
    const { id } = checked.list({ inactive: true })[0] ?? { id: 0 };
    clock.jump(after(31 * DAY_S));
    await turnUntil(clock, () => checked.list({ inactive: true }).length === 0, { stepMs: 10_000, mostMs: 2 * 3_600_000 });
    assert.equal(checked.list().length, 1);
    const { read } = database.tables<{ endpoint_chunks: { id: number }; endpoint_days: { day: number } }>();
    assert.deepEqual(
      [await read.selectFrom("endpoint_chunks").select("id").execute(), await read.selectFrom("endpoint_days").select("day").execute()],
      [[], []],
    );
    await assert.rejects(checks(id), (error) => isServiceError(error, "not_found"));
  });

  it("drops checks that are older than 30 days, and keeps their days", async () => {
    await show();
    await keepChecking(61);
    const { id } = only();
    clock.jump(after(31 * DAY_S));
    const isEmpty = async (): Promise<boolean> => (await checks(id, { since: after(-1).toISOString() })).total === 0;
    await turnUntil(clock, isEmpty, { stepMs: 10_000, mostMs: 2 * 3_600_000 });
    assert.equal((await checked.endpoints.service.dailyUptime(id, 40)).days.find(({ date }) => date === "2026-03-01")?.checks, 61);
  });

  it("drops what is old also behind checks from a clock that was ahead", async () => {
    await show();
    const { id: endpoint_id } = only();
    const { read, write } = database.tables<{
      endpoint_chunks: Record<"endpoint_id" | "start_at" | "end_at" | "checks", number> & { bytes: Buffer };
    }>();
    const chunkAt = (atMs: number) => ({ endpoint_id, start_at: atMs, end_at: atMs, checks: 1, bytes: Buffer.of() });
    for (const days of [400, -29, 0]) {
      const chunk = chunkAt(after(days * DAY_S).getTime());
      await write((tx) => tx.insertInto("endpoint_chunks").values(chunk).execute());
    }
    clock.jump(after(2 * DAY_S));
    const left = async (): Promise<number[]> =>
      (await read.selectFrom("endpoint_chunks").select("end_at").execute()).map((chunk) => chunk.end_at);
    await turnUntil(clock, async () => (await left()).length === 1, { stepMs: 10_000, mostMs: 2 * 3_600_000 });
    assert.deepEqual(await left(), [NOON.getTime()]);
  });

  it("changes nothing while the database is away", async () => {
    await show();
    await keepChecking(2);
    await database.stop();
    await assert.rejects(checked.checked(KEY, failure), (error) => isServiceError(error, "storage_unavailable"));
    assert.equal(only().consecutive_failures, 0);
    await database.start();
    await checked.checked(KEY, failure);
    assert.equal(only().consecutive_failures, 1);
  });
});
