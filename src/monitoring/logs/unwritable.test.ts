import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { createLogEngine, LOG_NOON } from "../../../test/support/log-engine.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { systemClock } from "../../platform/clock.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { createContainers } from "../containers/index.ts";
import { createLogs, createLogStore } from "./index.ts";

it("a log that waits for a disk that cannot be written is not taken for stored", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
  const clock = createFakeClock(LOG_NOON);
  const database = openSqlite({ path: `${temporaryFolder()}/logs.db`, clock: systemClock, log: silentLog });
  await database.start();
  const captured = createLogCapture();
  const engine = createLogEngine();
  const scheduler = createScheduler(clock, silentLog);
  const containers = createContainers({ database, bus: createBus<Event>(silentLog), clock, scheduler, log: silentLog, logSource: engine });
  await containers.start();
  const store = createLogStore({ folder, retentionMs: 86_400_000, maxBytes: 2 ** 30, clock, log: captured.log });
  const logs = createLogs({ containers, logSource: engine, store, clock, scheduler, log: captured.log });
  await logs.start();
  t.after(async () => {
    await logs.stop();
    await scheduler.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const search = () => logs.search({ limit: 10, order: "newest" }, new AbortController().signal);

  await containers.observe(null, [
    { kind: "container.inventory", observedAt: LOG_NOON, containers: [sighting({ externalId: "web", name: "web" })] },
  ]);
  engine.write("web", 0, "first");
  await until(async () => {
    await clock.advance(1000);
    return (await search()).lines.length === 1;
  });
  // Where its files would be. So much text is kept in memory meanwhile, and no more.
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in its place");
  engine.write("web", 10, ...Array.from({ length: 90 }, (_, index) => `${index} ${"x".repeat(50_000)}`));
  await until(async () => {
    await clock.advance(1000);
    return (await search()).searched.characters > 4_000_000;
  });
  assert.match(captured.text(), /logs cannot be stored/);
  engine.write("web", 60, "FATAL while nothing can be written");
  const after = async (isSo: (found: Awaited<ReturnType<typeof search>>) => boolean) => {
    await until(async () => {
      await clock.advance(10_000);
      return isSo(await search());
    });
    return search();
  };

  const found = await after(({ lines }) => lines[0]?.text === "FATAL while nothing can be written");
  assert.equal(found.is_complete, true);
  engine.setAway(true);
  const { gaps } = await after(({ is_complete: isComplete }) => !isComplete);
  assert.deepEqual(
    gaps.map(({ container_name: name, reason }) => `${name}: ${reason}`),
    ["web: unreadable"],
  );
});
