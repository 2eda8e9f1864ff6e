import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { sqliteDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { createContainers } from "../containers/index.ts";
import { createLogs, createLogStore } from "./index.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
const never = new AbortController().signal;
const databases = sqliteDatabases();

it("searches the newest logs of containers that are gone, and says that others were left out", async (test) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createFakeClock(after(1000));
  const scheduler = createScheduler(clock, silentLog);
  const logSource = { logs: () => assert.fail("no runtime is asked for these") };
  const store = createLogStore({ folder, retentionMs: 24 * HOUR_MS, maxBytes: 2 ** 30, clock, log: silentLog });
  const common = { clock, scheduler, log: silentLog, logSource };
  const containers = createContainers({ ...common, database: await databases.create(), bus: createBus<Event>(silentLog) });
  await containers.start();
  const logs = createLogs({ ...common, containers, store });

  const inventory = (seconds: number, seen: ReturnType<typeof sighting>[]): Promise<void> =>
    containers.observe(null, [{ kind: "container.inventory", observedAt: after(seconds), containers: seen }]);
  const jobs = Array.from({ length: 620 }, (_, job) => `job-${job}`);
  await inventory(
    0,
    jobs.map((name) => sighting({ externalId: name, name, state: "exited", exitCode: 0, finishedAt: after(0) })),
  );
  for (const [job, name] of jobs.entries()) {
    const container = containers.present.find(null, name);
    assert.ok(container !== undefined);
    await store.add(container, [{ timestamp: after(job), stream: "stdout", text: `FATAL of ${name}` }], never);
  }
  await inventory(1000, []);

  const search = (query: object) => logs.search({ limit: 1000, order: "newest", q: "FATAL", ...query }, never);
  const all = await search({});
  assert.equal(all.lines[0]?.text, "FATAL of job-619");
  assert.deepEqual([all.lines.length, all.is_complete, all.gaps_total], [500, false, 120]);
  assert.deepEqual([all.gaps.length, new Set(all.gaps.map(({ reason }) => reason))], [100, new Set(["too_many_containers"])]);
  const hour = await search({ until: after(400).toISOString() });
  assert.deepEqual([hour.lines.length, hour.is_complete, hour.gaps_total], [400, true, 0]);
  const ofNone = await search({ group: "shop" });
  assert.deepEqual([ofNone.lines.length, ofNone.is_complete, ofNone.gaps_total], [0, false, 20]);
  await scheduler.stop();
});
