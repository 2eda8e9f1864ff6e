import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats, ORIGIN, watchedDatabase } from "../../../test/support/heartbeats.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";

const noon = new Date("2026-03-01T12:00:00Z");

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let jobs: OpenedHeartbeats;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    jobs = await openHeartbeats(database, clock);
  });

  const after = (seconds: number): string => new Date(noon.getTime() + seconds * 1000).toISOString();

  describe("heartbeats", () => {
    it("are made with defaults, listed by name, found by status and text, and there after a restart", async () => {
      const made = await jobs.service.create({ name: "job 10", cron: "0 3 * * *" });
      assert.partialDeepStrictEqual(made, {
        id: 1,
        status: "new",
        schedule: "cron",
        timezone: "UTC",
        grace_seconds: 300,
        interval_seconds: null,
      });
      assert.equal(made.ping_url, `https://watch.example/ping/${made.uuid}`);
      const second = await jobs.make({ name: "job 9", tags: ["Nightly"] });
      await jobs.ping(second);
      const names = (filter = {}): string[] => jobs.list(filter).heartbeats.map(({ name }) => name);
      assert.deepEqual(names(), ["job 9", "job 10"]);
      assert.deepEqual(names({ status: "up" }), ["job 9"]);
      assert.deepEqual(names({ search: "NIGHT" }), ["job 9"]);
      assert.deepEqual(names({ search: "10", agent_id: "local" }), ["job 10"]);
      assert.deepEqual(names({ agent_id: randomUUID() }), []);
      const before = jobs.list();
      assert.deepEqual((await openHeartbeats(database, clock)).list(), before);
      assert.deepEqual(
        jobs.published("heartbeat.created").map(({ data }) => ("name" in data ? data.name : "")),
        ["job 10", "job 9"],
      );
    });

    it("are announced while something is wrong with them, also after a restart, and no others", async () => {
      const late = await jobs.make({ name: "late", grace_seconds: 60 });
      const failed = await jobs.make({ name: "failed", interval_seconds: 86_400 });
      const slow = await jobs.make({ name: "slow", interval_seconds: 86_400, max_runtime_seconds: 60 });
      const well = await jobs.make({ name: "well", interval_seconds: 86_400 });
      for (const each of [late, failed, slow, well]) await jobs.ping(each);
      assert.deepEqual(jobs.announce(), []);
      await jobs.ping(failed, 3);
      await jobs.ping(slow, "start");
      await jobs.pass(3660);
      jobs = await openHeartbeats(database, clock);
      assert.partialDeepStrictEqual(jobs.announce(), [
        { type: "heartbeat.deadline_missed", data: { id: late.id, reason: "deadline", deadline_at: after(3660) } },
        { type: "heartbeat.updated", data: { id: failed.id, reason: "exit_code", last_exit_code: 3 } },
        { type: "heartbeat.updated", data: { id: slow.id, reason: "timeout", change: "timed_out" } },
      ]);
      assert.equal(jobs.announce().length, 3);
    });

    it("never show their uuid in an event", async () => {
      const made = await jobs.make({ max_runtime_seconds: 60 });
      await jobs.ping(made, "start");
      await jobs.pass(60);
      await jobs.ping(made);
      await jobs.pass(4000);
      await jobs.service.pause(made.id);
      await jobs.service.remove(made.id);
      assert.ok(jobs.events.length > 6);
      assert.ok(!JSON.stringify(jobs.events).includes(made.uuid));
    });

    it("are changed in part, paused, resumed and deleted, and each change is published and stored", async () => {
      const made = await jobs.make();
      await jobs.ping(made);
      const edited = await jobs.service.update(made.id, { name: "other", cron: "0 3 * * *", timezone: "Europe/Berlin" });
      assert.partialDeepStrictEqual(edited, {
        name: "other",
        schedule: "cron",
        grace_seconds: 300,
        next_expected_at: "2026-03-02T02:00:00.000Z",
      });
      assert.equal((await jobs.service.pause(made.id)).status, "paused");
      await jobs.service.pause(made.id);
      assert.equal((await openHeartbeats(database, clock)).now(made).status, "paused");
      assert.equal((await jobs.service.resume(made.id)).status, "up");
      assert.deepEqual(
        jobs.events.flatMap((event) => (event.type === "heartbeat.updated" ? event.data.change : [])),
        ["edited", "paused", "resumed"],
      );
      await jobs.service.remove(made.id);
      assert.throws(() => jobs.now(made), /There is no heartbeat 1/);
      assert.throws(
        () => jobs.ping(made),
        (error) => isServiceError(error, "not_found"),
      );
      assert.deepEqual((await openHeartbeats(database, clock)).list(), { heartbeats: [], total: 0, next_cursor: null });
    });
  });

  describe("a ping", () => {
    it("is kept with what it brought, together with the state", async () => {
      const made = await jobs.make();
      const origin = { sourceIp: "2001:db8::1", method: "POST", userAgent: "curl/8", body: "done\nwell" };
      await jobs.service.receive(made.uuid.toUpperCase(), { kind: "exit_code", exitCode: 0, rid: null }, origin);
      const again = await openHeartbeats(database, clock);
      assert.deepEqual(await again.pings(made), [
        {
          id: 1,
          kind: "exit_code",
          exit_code: 0,
          rid: null,
          source_ip: "2001:db8::1",
          method: "POST",
          user_agent: "curl/8",
          body: "done\nwell",
          timestamp: after(0),
        },
      ]);
      assert.deepEqual(again.now(made), jobs.now(made));
      assert.partialDeepStrictEqual(jobs.now(made), { status: "up", last_exit_code: 0, next_deadline_at: after(3900) });
    });

    it("makes an execution, or ends one", async () => {
      const made = await jobs.make({ max_runtime_seconds: 600 });
      const [one, two] = [randomUUID(), randomUUID()];
      await jobs.ping(made, "start", one);
      await jobs.ping(made, "start", two);
      await jobs.pass(30);
      await jobs.ping(made, 3, one);
      await jobs.ping(made);
      await jobs.ping(made, "log");
      const restarted = await openHeartbeats(database, clock);
      assert.equal(restarted.now(made).open_runs, 1, "runs under way are still known");
      await restarted.pass(580);
      const execution = { started_at: after(0), rid: two, exit_code: null };
      assert.deepEqual(await restarted.executions(made), [
        { ...execution, id: 1, rid: one, ended_at: after(30), duration_ms: 30_000, exit_code: 3, outcome: "failure" },
        { ...execution, id: 2, ended_at: after(600), duration_ms: 600_000, outcome: "timeout" },
        { ...execution, id: 4, rid: null, started_at: null, ended_at: after(30), duration_ms: null, outcome: "success" },
      ]);
      assert.equal((await restarted.pings(made)).length, 5);
    });

    it("after a failure recovers, and that is published too", async () => {
      const made = await jobs.make();
      await jobs.ping(made, 7);
      await jobs.pass(10);
      await jobs.ping(made);
      assert.deepEqual(
        jobs.events
          .slice(1)
          .map(({ type, data }) => [type, "reason" in data && data.reason, "previous_status" in data && data.previous_status]),
        [
          ["heartbeat.pinged", "exit_code", "new"],
          ["heartbeat.pinged", null, "down"],
          ["heartbeat.recovered", null, "down"],
        ],
      );
    });

    it("of an unknown uuid costs no write", async () => {
      const { seen, writes } = watchedDatabase(database);
      const counted = await openHeartbeats(seen, clock);
      const before = writes();
      assert.throws(
        () => counted.service.receive(randomUUID(), { kind: "success", exitCode: null, rid: null }, ORIGIN),
        (error) => isServiceError(error, "not_found"),
      );
      assert.equal(writes(), before);
    });

    it("that cannot be saved takes none of its neighbours with it", async () => {
      const made = await jobs.make();
      const poison = {
        toJSON() {
          throw new Error("poison");
        },
      };
      const origins = [ORIGIN, { ...ORIGIN, userAgent: poison as unknown as string }, ORIGIN];
      const signal = { kind: "success", exitCode: null, rid: null } as const;
      const settled = await Promise.allSettled(origins.map((origin) => jobs.service.receive(made.uuid, signal, origin)));
      assert.deepEqual(
        settled.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      assert.equal((await jobs.pings(made)).length, 2);
    });
  });

  it("50 parallel pings of one heartbeat, and 50 parallel runs, leave a consistent history", async () => {
    const made = await jobs.make();
    const other = await jobs.make({ name: "other" });
    await Promise.all(Array.from({ length: 50 }, (_, index) => jobs.ping(made, index % 2)));
    const rids = Array.from({ length: 50 }, () => randomUUID());
    await Promise.all([...rids.flatMap((rid) => [jobs.ping(made, "start", rid), jobs.ping(made, 0, rid)]), jobs.ping(other)]);
    assert.partialDeepStrictEqual(jobs.now(made), { status: "up", open_runs: 0, last_exit_code: 0, last_duration_ms: 0 });
    const executions = await jobs.executions(made);
    assert.deepEqual(
      Object.fromEntries(Object.entries(Object.groupBy(executions, ({ outcome }) => outcome)).map(([key, all]) => [key, all?.length])),
      {
        success: 75,
        failure: 25,
      },
    );
    assert.deepEqual(executions.flatMap(({ rid }) => rid ?? []).toSorted(), rids.toSorted());
    const pings = await jobs.pings(made);
    assert.equal(pings.length, 150);
    assert.equal((await jobs.service.dailyUptime(made.id, 1)).days[0]?.checks, 100);
    const exitCodes = jobs.events.flatMap((event) =>
      event.type === "heartbeat.pinged" && event.data.id === made.id ? event.data.exit_code : [],
    );
    assert.deepEqual(
      exitCodes,
      pings.map(({ exit_code: code }) => code),
      "published in the order in which they are stored",
    );
    assert.deepEqual((await openHeartbeats(database, clock)).now(made), jobs.now(made));
  });

  describe("uptime by day", () => {
    it("is the share of the time not down, since it is known and while pings could be taken, and outlives restarts", async () => {
      const made = await jobs.make({ interval_seconds: 31_536_000 });
      await jobs.pass(60);
      await jobs.ping(made);
      await jobs.pass(300);
      await jobs.ping(made, 1);
      await jobs.pass(300);
      assert.deepEqual((await jobs.service.dailyUptime(made.id, 2)).days, [
        { date: "2026-03-01", uptime_percent: 50, checks: 2, incidents: 1 },
        { date: "2026-02-28", uptime_percent: null, checks: 0, incidents: 0 },
      ]);
      await jobs.stop();
      clock.jump(new Date("2026-03-03T23:55:00Z"));
      const restarted = await openHeartbeats(database, clock);
      await restarted.pass(900);
      await restarted.service.pause(made.id);
      clock.jump(new Date("2026-03-05T12:00:00Z"));
      await restarted.service.resume(made.id);
      const days = [
        { date: "2026-03-05", uptime_percent: null, checks: 0, incidents: 0 },
        { date: "2026-03-04", uptime_percent: 0, checks: 0, incidents: 0 },
        { date: "2026-03-03", uptime_percent: 0, checks: 0, incidents: 0 },
        { date: "2026-03-02", uptime_percent: null, checks: 0, incidents: 0 },
        { date: "2026-03-01", uptime_percent: 50, checks: 2, incidents: 1 },
      ];
      assert.deepEqual((await restarted.service.dailyUptime(made.id, 5)).days, days);
      assert.deepEqual((await (await openHeartbeats(database, clock)).service.dailyUptime(made.id, 5)).days, days);
    });
  });

  describe("retention", () => {
    it("keeps pings for 30 days and runs under way for ever; days remain", async () => {
      const made = await jobs.make({ interval_seconds: 31_536_000 });
      await jobs.ping(made, "start", randomUUID());
      await jobs.ping(made);
      const daily = await jobs.make({ name: "daily" });
      for (let day = 0; day <= 29; day += 1) {
        clock.jump(new Date(noon.getTime() + day * 86_400_000));
        await jobs.ping(daily);
      }
      await jobs.ping(made);
      await jobs.prune();
      assert.equal((await jobs.pings(made)).length, 3);
      clock.jump(new Date(noon.getTime() + 31 * 86_400_000));
      await jobs.prune();
      assert.deepEqual(
        (await jobs.pings(made)).map(({ kind }) => kind),
        ["start", "success"],
      );
      const { days } = await jobs.service.dailyUptime(made.id, 40);
      assert.equal(days.find(({ date }) => date === "2026-03-01")?.checks, 1);
      const countDays = async (): Promise<number> =>
        (await database.tables<{ heartbeat_days: object }>().read.selectFrom("heartbeat_days").selectAll().execute()).length;
      assert.equal(await countDays(), 30);
      clock.jump(new Date(noon.getTime() + 405 * 86_400_000));
      await jobs.prune();
      assert.equal(await countDays(), 23);
    });

    it("removes what is left of deleted heartbeats, however much", async () => {
      const made = await jobs.make();
      const kept = await jobs.make({ name: "kept" });
      await Promise.all(Array.from({ length: 1500 }, () => jobs.ping(made)));
      await jobs.ping(kept);
      await jobs.service.remove(made.id);
      await jobs.prune();
      const rows = async (table: "heartbeats" | "heartbeat_pings"): Promise<number> =>
        (await database.tables<{ heartbeats: object; heartbeat_pings: object }>().read.selectFrom(table).selectAll().execute()).length;
      assert.deepEqual([await rows("heartbeats"), await rows("heartbeat_pings")], [1, 1]);
    });
  });
});
