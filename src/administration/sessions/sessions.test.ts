import assert from "node:assert/strict";
import { it } from "node:test";
import { DAY_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { watchTasks } from "../../../test/support/watched-tasks.ts";
import { newSession } from "../../http/session.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { createStoredSessions } from "./index.ts";

onBothDatabases((databases) => {
  it("keeps sessions ended over a restart, until they would have ended anyway", async () => {
    const clock = createFakeClock();
    const database = await databases.create();
    const { scheduler, idle } = watchTasks(createScheduler(clock, silentLog));
    const later = async (ms: number): Promise<void> => {
      await clock.advance(ms);
      await idle();
    };
    const start = async () => {
      const sessions = createStoredSessions({ database, clock, scheduler });
      await sessions.start();
      return sessions.ended;
    };
    const [one, other] = [newSession(clock.now()), newSession(clock.now())];
    const first = await start();
    await first.end(one);
    await first.end(one);
    const second = await start();
    assert.deepEqual([second.has(one), second.has(other)], [true, false]);

    await later(DAY_MS);
    await second.endAll();
    const third = await start();
    assert.deepEqual([third.has(one), third.has(other)], [true, false]);
    assert.deepEqual([first.epoch(), third.epoch()], ["", second.epoch()]);
    assert.notEqual(second.epoch(), "");

    assert.equal(await rows(database), 2);
    for (let day = 0; day < 28; day += 1) await later(DAY_MS);
    assert.deepEqual([await rows(database), third.has(one)], [2, true]);
    await later(DAY_MS + 3_600_000);
    assert.equal(await rows(database), 1, "the session would have ended by itself");
    assert.equal(third.has(one), false);
    for (let day = 0; day < 30; day += 1) await later(DAY_MS);
    assert.equal(await rows(database), 1, "newer sessions are signed with the end of all");
    assert.equal((await start()).epoch(), second.epoch());
  });

  it("keeps one that was ended after the clock was set back, for as long as its cookie may be valid", async () => {
    const clock = createFakeClock();
    const database = await databases.create();
    const { scheduler, idle } = watchTasks(createScheduler(clock, silentLog));
    const sessions = createStoredSessions({ database, clock, scheduler });
    await sessions.start();
    const session = newSession(clock.now());
    const { begunAtMs, endsAtMs } = session;
    clock.jump(new Date(begunAtMs - 10 * DAY_MS));
    await sessions.ended.end(session);
    clock.jump(new Date(endsAtMs - 2 * 3_600_000));
    await clock.advance(3_600_000);
    await idle();
    const restarted = createStoredSessions({ database, clock, scheduler });
    await restarted.start();
    assert.deepEqual([sessions.ended.has(session), restarted.ended.has(session)], [true, true]);
  });
});

async function rows(database: Database): Promise<number> {
  const found = await database.tables<{ ended_sessions: { id: string } }>().read.selectFrom("ended_sessions").select("id").execute();
  return found.length;
}
