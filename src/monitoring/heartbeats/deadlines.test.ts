import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { countReads } from "../../../test/support/counted-reads.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats } from "../../../test/support/heartbeats.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import { createGapStore } from "./gap-store.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
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

  describe("a deadline", () => {
    it("is looked for in memory until one is over", async () => {
      const counted = countReads(database);
      jobs = await openHeartbeats(counted.database, clock);
      const made = await jobs.make();
      await jobs.ping(made);
      const before = counted.reads();
      await jobs.pass(3890);
      assert.equal(counted.reads(), before);
      await jobs.pass(10);
      assert.ok(counted.reads() > before);
      assert.equal(jobs.now(made).status, "down");
    });

    it("that is over is published once, with what is known, and stored", async () => {
      const made = await jobs.make({ tags: ["db"] });
      await jobs.ping(made);
      await jobs.pass(3899);
      assert.equal(jobs.now(made).status, "up");
      await jobs.pass(1);
      await jobs.pass(60);
      const missed = jobs.published("heartbeat.deadline_missed");
      assert.equal(missed.length, 1);
      assert.partialDeepStrictEqual(missed[0]?.data, {
        id: made.id,
        agent_id: null,
        name: "backup",
        alert_tags: ["db"],
        status: "down",
        previous_status: "up",
        reason: "deadline",
        deadline_at: after(3900),
        timestamp: after(3900),
      });
      const restarted = await openHeartbeats(database, clock);
      await restarted.pass(7200);
      assert.partialDeepStrictEqual(restarted.now(made), {
        status: "down",
        reason: "deadline",
        failing_since: after(3900),
        next_deadline_at: null,
      });
      assert.deepEqual(restarted.events, []);
    });

    it("is judged in time after a long while without any heartbeat, in which nothing looked", async () => {
      let runs = 0;
      const tasks = watchTasks(createScheduler(clock, silentLog), (what) => void (runs += what === "begin" ? 1 : 0));
      const fresh = await databases.create();
      const idle = await openHeartbeats(fresh, clock, tasks.scheduler);
      async function until(seconds: number): Promise<void> {
        while (clock.now().getTime() < noon.getTime() + seconds * 1000) {
          await clock.advance(500);
          await tasks.idle();
        }
      }
      await until(75);
      assert.ok(runs <= 6, `${runs} runs of two tasks`);
      const made = await idle.make({ interval_seconds: 30, grace_seconds: 0 });
      await idle.ping(made);
      await until(104.5);
      assert.equal(idle.now(made).status, "up");
      await until(105.5);
      assert.partialDeepStrictEqual(idle.now(made), { status: "down", failing_since: after(105) });
      const { gaps } = await createGapStore(fresh).load();
      assert.deepEqual(gaps, [], "that nobody looked is no gap");
    });

    it("of many at once is found for each", async () => {
      const all = await Promise.all(
        Array.from({ length: 600 }, (_, index) => jobs.make({ name: `job ${index}`, interval_seconds: 30, grace_seconds: 0 })),
      );
      await Promise.all(all.map((each) => jobs.ping(each)));
      await jobs.pass(30);
      assert.equal(jobs.published("heartbeat.deadline_missed").length, 600);
    });

    it("is judged by one of two that find it", async () => {
      const made = await jobs.make();
      await jobs.ping(made);
      const second = await openHeartbeats(database, clock);
      for (let seconds = 2; seconds <= 3900; seconds += 2) {
        await clock.advance(2000);
        await Promise.all([jobs.judge(), second.judge()]);
      }
      assert.equal(jobs.published("heartbeat.deadline_missed").length + second.published("heartbeat.deadline_missed").length, 1);
    });

    it("a run that exceeds its max runtime is published as timed out", async () => {
      const made = await jobs.make({ max_runtime_seconds: 60 });
      await jobs.ping(made, "start");
      await jobs.pass(60);
      const [updated] = jobs.published("heartbeat.updated");
      assert.partialDeepStrictEqual(updated?.data, { change: "timed_out", status: "down", reason: "timeout", previous_status: "started" });
      assert.deepEqual(jobs.now(made).recent_outcomes, ["timeout"]);
    });
  });
});
