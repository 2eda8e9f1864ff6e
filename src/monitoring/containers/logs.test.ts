import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { untilAborted } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import type { LogLine, LogOptions } from "../../runtimes/runtime.ts";
import { type Containers, createContainers } from "./index.ts";

onBothDatabases((databases) => {
  let clock: FakeClock;
  let scheduler: Scheduler;
  let containers: Containers;
  let id: number;
  let read: (options: LogOptions) => AsyncIterable<LogLine[]>;
  const { signal } = new AbortController();

  beforeEach(async () => {
    clock = createFakeClock();
    scheduler = createScheduler(clock, silentLog);
    const logSource = { logs: (_agentId: string | null, _externalId: string, options: LogOptions) => read(options) };
    const shared = { database: await databases.create(), bus: createBus<Event>(silentLog), clock, scheduler, log: silentLog };
    containers = createContainers({ ...shared, logSource, downAfterMs: 30_000 });
    await containers.start();
    await containers.observe(null, [{ kind: "container.seen", observedAt: clock.now(), container: sighting({ externalId: "web" }) }]);
    id = containers.present.find(null, "web")?.id ?? 0;
  });
  afterEach(() => scheduler.stop());

  const lines = (from: number, count: number): LogLine[] =>
    Array.from({ length: count }, (_, at) => ({ timestamp: clock.now(), stream: "stdout", text: `line ${from + at}` }));

  it("are cut to the lines asked for, and searched", async () => {
    read = async function* () {
      yield lines(1, 5);
    };
    const two = await containers.service.logs(id, { lines: 2, timestamps: true }, signal);
    assert.deepEqual([two.lines.map(({ text }) => text), two.truncated], [["line 4", "line 5"], true]);
    const found = await containers.service.logs(id, { lines: 5, timestamps: false, search: "LINE 3" }, signal);
    assert.deepEqual([found.lines.length, found.lines[0]?.timestamp, found.truncated], [1, null, false]);
  });

  it("that are written faster than they are read have the first lines, then the newest, and say how many are left out", async () => {
    let given: AbortSignal | undefined;
    read = async function* ({ signal: until }) {
      given = until;
      yield lines(0, 10);
      yield lines(10, 5_000);
      yield lines(5_010, 7);
      await untilAborted(until);
    };
    const reading = containers.service.followLogs(await containers.service.find(id), { lines: 10 }, signal)[Symbol.asyncIterator]();
    const first = (await reading.next()).value;
    assert.deepEqual([first?.items.length, first?.dropped], [10, 0]);
    const next = reading.next();
    await clock.advance(100);
    const second = (await next).value;
    assert.deepEqual([second?.items.length, second?.dropped, second?.items.at(-1)?.text], [2_000, 3_007, "line 5016"]);
    await reading.return?.();
    assert.equal(given?.aborted, true, "its source is left open");
  });
});
