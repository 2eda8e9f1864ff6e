import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLog } from "../src/platform/log.ts";
import { createScheduler, type Scheduler } from "../src/platform/scheduler.ts";
import { sqliteDatabases } from "./support/databases.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { watchTasks } from "./support/watched-tasks.ts";
import { openWholeServer } from "./support/whole-server.ts";

const SETTLES_MS = 5 * 60_000;
const WATCHED_MINUTES = 10;
const STEP_MS = 500;
/** Of the whole server, in a minute of rest. */
const MOST_RUNS = 65;
const MOST_MOMENTS = 22;

const databases = sqliteDatabases();

it("has nothing to do with nothing to watch: what is regular is done together, and what could be due waits", async () => {
  const clock = createFakeClock();
  const runs = new Map<string, number>();
  const moments = new Set<number>();
  let isCounting = false;
  const { scheduler, idle } = watchTasks(counted(createScheduler(clock, silentLog)));

  function counted(inner: Scheduler): Scheduler {
    function note(name: string): void {
      if (!isCounting) return;
      runs.set(name, (runs.get(name) ?? 0) + 1);
      moments.add(clock.monotonicMs());
    }
    return {
      ...inner,
      every: (task) => inner.every({ ...task, run: (signal) => (note(task.name), task.run(signal)) }),
      whenDue: (task) => inner.whenDue({ ...task, run: (signal) => (note(task.name), task.run(signal)) }),
    };
  }

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await clock.advance(STEP_MS);
      await idle();
    }
  }

  const server = await openWholeServer({ database: await databases.create(), clock, labels: new Map(), scheduler });
  await pass(SETTLES_MS);
  isCounting = true;
  await pass(WATCHED_MINUTES * 60_000);
  await server.stop();
  const perMinute = [...runs].map(([name, count]) => `${name}: ${count / WATCHED_MINUTES}`);
  const all = [...runs.values()].reduce((sum, each) => sum + each, 0) / WATCHED_MINUTES;
  assert.ok(all <= MOST_RUNS, `${all} runs a minute: ${perMinute.join(", ")}`);
  assert.ok(moments.size / WATCHED_MINUTES <= MOST_MOMENTS, `${moments.size / WATCHED_MINUTES} times a minute`);
});
