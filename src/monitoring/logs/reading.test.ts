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
import type { LogLine, LogOptions } from "../../runtimes/runtime.ts";
import { createContainers } from "../containers/index.ts";
import { createLogStore, type LogStore } from "./index.ts";
import { createLogReader } from "./reading.ts";
import { wantedOf } from "./search.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const never = new AbortController().signal;
const line = (seconds: number, text: string): LogLine => ({ timestamp: new Date(NOON.getTime() + seconds * 1000), stream: "stdout", text });

it("finds lines once that are stored while their log is searched", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createFakeClock(NOON);
  const scheduler = createScheduler(clock, silentLog);
  const written = [line(1, "a"), line(20, "b"), line(50, "c")];
  const logSource = {
    async *logs(_agentId: string | null, _externalId: string, { since = NOON }: LogOptions): AsyncIterable<LogLine[]> {
      yield written.filter(({ timestamp }) => timestamp !== null && timestamp >= since);
    },
  };
  const database = await sqliteDatabases().create();
  const containers = createContainers({ database, bus: createBus<Event>(silentLog), clock, scheduler, log: silentLog, logSource });
  await containers.start();
  await containers.observe(null, [{ kind: "container.inventory", observedAt: NOON, containers: [sighting({ externalId: "web" })] }]);
  const web = containers.present.find(null, "web");
  assert.ok(web !== undefined);
  const store = createLogStore({ folder, retentionMs: HOUR_MS, maxBytes: 2 ** 30, clock, log: silentLog });
  await store.open();
  await store.add(web, written.slice(0, 1), never);
  await clock.advance(HOUR_MS / 4);

  const resumePoint: LogStore["resumePoint"] = async (...asked) => {
    await store.add(web, written.slice(1), never);
    return store.resumePoint(...asked);
  };
  const storedToMs = (): undefined => undefined;
  const reader = createLogReader({ containers, logSource, store: { ...store, resumePoint }, storedToMs, clock, log: silentLog });
  const found: string[] = [];
  await reader.read({}, wantedOf({ order: "oldest" }), { signal: never, visit: ({ readLine }) => found.push(readLine().text) });
  assert.deepEqual(found, ["a", "b", "c"]);
});
