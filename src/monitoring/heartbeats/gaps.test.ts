import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats, watchedDatabase } from "../../../test/support/heartbeats.ts";
import { fc } from "../../../test/support/seed.ts";
import type { Database, DatabaseStatus } from "../../storage/database.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const MINUTE = 60;
const INTERVAL = 30;
const GRACE = 25;
/** A crash is known only by what was noted last. */
const MOST_BEFORE_CRASH = 10;

type Happening = readonly ["serve" | "restart" | "crash" | "stall" | "step" | "lose the database", seconds: number];

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(fc.constant("serve" as const), fc.integer({ min: 1, max: 40 })),
  fc.tuple(fc.constantFrom("restart" as const, "crash" as const), fc.integer({ min: 1, max: 200 })),
  fc.tuple(fc.constantFrom("stall" as const, "lose the database" as const), fc.integer({ min: 3, max: 200 })),
  fc.tuple(
    fc.constant("step" as const),
    fc.integer({ min: 3, max: 200 }).chain((seconds) => fc.constantFrom(seconds, -seconds)),
  ),
);

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let jobs: OpenedHeartbeats;
  let reportStatus: (status: DatabaseStatus) => void;

  async function open(): Promise<void> {
    const watched = watchedDatabase(database);
    reportStatus = watched.reportStatus;
    jobs = await openHeartbeats(watched.seen, clock);
  }

  async function restart(seconds: number): Promise<void> {
    await jobs.stop();
    await clock.advance(seconds * 1000);
    await open();
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    await open();
  });

  describe("a deadline moves by the time in which no ping could be taken", () => {
    it("so that regular restarts do not hide a job that never reports again", async () => {
      const made = await jobs.make({ interval_seconds: 30 * MINUTE, grace_seconds: 30 * MINUTE });
      await jobs.ping(made);
      for (let day = 0; day < 3; day += 1) {
        await jobs.pass(18 * MINUTE);
        await restart(10);
      }
      await jobs.pass(6 * MINUTE - 2);
      assert.equal(jobs.now(made).status, "up");
      await jobs.pass(2);
      assert.equal(jobs.now(made).status, "down");
    });

    it("and not by the grace, when a restart comes shortly before it", async () => {
      const made = await jobs.make({ interval_seconds: 10 * MINUTE, grace_seconds: 30 * MINUTE });
      await jobs.ping(made);
      await jobs.pass(35 * MINUTE);
      await restart(10);
      assert.equal(jobs.now(made).next_deadline_at, new Date(noon.getTime() + (40 * MINUTE + 10) * 1000).toISOString());
    });

    it("and not at all when it was over before the restart", async () => {
      const made = await jobs.make({ interval_seconds: 10 * MINUTE, grace_seconds: 0 });
      await jobs.ping(made);
      await jobs.pass(10 * MINUTE - 2);
      await clock.advance(2000);
      await restart(3600);
      await jobs.judge();
      const [missed] = jobs.published("heartbeat.deadline_missed");
      assert.partialDeepStrictEqual(missed?.data, {
        id: made.id,
        deadline_at: new Date(noon.getTime() + 10 * MINUTE * 1000).toISOString(),
      });
    });

    it("and so by the time without a database, while the program itself runs on", async () => {
      const made = await jobs.make({ interval_seconds: 10 * MINUTE, grace_seconds: 0 });
      await jobs.ping(made);
      await jobs.pass(5 * MINUTE);
      reportStatus({ connected: false, error: "gone" });
      await jobs.pass(20 * MINUTE);
      assert.equal(jobs.now(made).status, "up");
      reportStatus({ connected: true, error: null });
      await jobs.checkClock();
      assert.equal(jobs.now(made).next_deadline_at, new Date(noon.getTime() + 30 * MINUTE * 1000).toISOString());
      await jobs.pass(5 * MINUTE - 2);
      assert.equal(jobs.now(made).status, "up");
      await jobs.pass(2);
      assert.equal(jobs.now(made).status, "down");
    });

    it("and a cron line is expected again soon on a clock that had been wrong by years, and not sooner on one by hours", async () => {
      const made = await jobs.make({ cron: "0 9 * * *", interval_seconds: null });
      await jobs.ping(made);
      clock.jump(new Date("2026-03-01T08:00:00Z"));
      await jobs.checkClock();
      assert.equal(jobs.now(made).next_expected_at, "2026-03-02T09:00:00.000Z");
      clock.jump(new Date("2024-03-01T08:00:00Z"));
      await jobs.checkClock();
      assert.equal(jobs.now(made).next_expected_at, "2024-03-02T09:00:00.000Z");
    });

    it("and a ping that comes just as the clock is set back is by the new clock", async () => {
      const made = await jobs.make({ interval_seconds: 10 * MINUTE, grace_seconds: 0 });
      const before = jobs.ping(made);
      const setTo = new Date(noon.getTime() - 180 * MINUTE * 1000);
      clock.jump(setTo);
      await Promise.all([before, jobs.ping(made)]);
      await jobs.checkClock();
      await jobs.judge();
      const { status, last_ping_at, next_deadline_at } = jobs.now(made);
      const deadline = new Date(setTo.getTime() + 10 * MINUTE * 1000);
      assert.deepEqual([status, last_ping_at, next_deadline_at], ["up", setTo.toISOString(), deadline.toISOString()]);
    });

    it("and not a second more, whatever happens", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { maxLength: 8 }), async (all) => {
          const made = await jobs.make({ interval_seconds: INTERVAL, grace_seconds: GRACE });
          await jobs.ping(made);
          let served = 0;
          let crashes = 0;
          const isDown = (): boolean => jobs.now(made).status === "down";

          async function serve(seconds: number): Promise<void> {
            for (let left = seconds; left > 0 && !isDown(); left -= 1) {
              await clock.advance(1000);
              served += 1;
              await jobs.checkClock();
              await jobs.judge();
            }
          }

          for (const [what, seconds] of all) {
            if (isDown()) break;
            if (what === "serve") await serve(seconds);
            else if (what === "restart") await restart(seconds);
            else if (what === "step") clock.jump(new Date(clock.now().getTime() + seconds * 1000));
            else {
              if (what === "lose the database") reportStatus({ connected: false, error: "gone" });
              await clock.advance(seconds * 1000);
              if (what === "lose the database") reportStatus({ connected: true, error: null });
              if (what === "crash") await open();
              crashes += Number(what === "crash");
            }
            await jobs.checkClock();
            await jobs.judge();
          }
          await serve(1000);
          const late = served - INTERVAL - GRACE;
          assert.ok(late >= 0 && late <= crashes * MOST_BEFORE_CRASH, `down after ${served} seconds of service, with ${crashes} crashes`);
        }),
        { numRuns: 40, examples: [[[["crash", 194]]]] },
      );
    });
  });
});
