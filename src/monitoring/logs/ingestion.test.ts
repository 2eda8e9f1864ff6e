import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture, type LogCapture } from "../../../test/support/log-capture.ts";
import { createLogEngine } from "../../../test/support/log-engine.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler, type Scheduler } from "../../platform/scheduler.ts";
import { HOUR_MS } from "../../contract/time.ts";
import { type Containers, createContainers, type StoredLogs } from "../containers/index.ts";
import { createLogs, createLogStore, type Logs, type LogStore } from "./index.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

onBothDatabases((databases) => {
  let folder: string;
  let clock: FakeClock;
  let scheduler: Scheduler;
  let containers: Containers;
  let engine: ReturnType<typeof createLogEngine>;
  let captured: LogCapture;
  let logs: Logs;
  let store: LogStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
    const database = await databases.create();
    clock = createFakeClock(NOON);
    engine = createLogEngine();
    captured = createLogCapture();
    scheduler = createScheduler(clock, silentLog);
    const bus = createBus<Event>(silentLog);
    const storedLogs: StoredLogs = { last: (...asked) => store.last(...asked) };
    containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource: engine, storedLogs });
    await containers.start();
    await start();
  });
  afterEach(async () => {
    await logs.stop();
    await scheduler.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    store = createLogStore({ folder, retentionMs: 24 * HOUR_MS, maxBytes: 2 ** 30, clock, log: captured.log });
    logs = createLogs({ containers, logSource: engine, store, clock, scheduler, log: captured.log });
    await logs.start();
  }
  const show = (seconds: number, ...seen: Partial<ContainerSighting>[]): Promise<void> =>
    containers.observe(null, [{ kind: "container.inventory", observedAt: after(seconds), containers: seen.map(sighting) }]);
  const showFar = (...names: string[]): Promise<void> => {
    const seen = names.map((name) => sighting({ externalId: name, name }));
    return containers.observe(AGENT, [{ kind: "container.inventory", observedAt: after(0), containers: seen }]);
  };
  const idOf = (externalId: string): number => containers.present.find(null, externalId)?.id ?? 0;
  const texts = async (query: { q?: string; container_id?: number } = {}): Promise<string[]> => {
    const found = await logs.search({ limit: 100, order: "oldest", ...query }, new AbortController().signal);
    assert.deepEqual(found.gaps, []);
    return found.lines.map(({ text }) => text);
  };
  const follows = (...externalIds: string[]): Promise<unknown> =>
    until(async () => {
      await clock.advance(1000);
      return engine.followed().toSorted().join() === externalIds.toSorted().join();
    });
  const finds = (expected: string[], query?: { q?: string; container_id?: number }): Promise<unknown> =>
    until(async () => {
      await clock.advance(500);
      return (await texts(query)).join("|") === expected.join("|");
    });

  it("stores the logs of the containers of this host as they are written, each by one stream", async () => {
    engine.write("web", 1, "before it was seen");
    engine.write("db", 2, "of the database");
    await show(0, { externalId: "web", name: "web" }, { externalId: "db", name: "db" });
    await follows("web", "db");
    engine.write("web", 3, "written later");
    await finds(["before it was seen", "of the database", "written later"]);
    assert.deepEqual(await texts({ q: "LATER" }), ["written later"]);
    assert.equal(engine.asked.length, 2);
  });

  it("leaves out what a label or the settings leave out", async () => {
    for (const name of ["kept", "left", "ignored"]) engine.write(name, 1, `of ${name}`);
    await show(
      0,
      { externalId: "kept", name: "kept" },
      { externalId: "left", name: "left", labels: { "service.logs.keep": "False" } },
      { externalId: "ignored", name: "ignored", settings: { ...defaultSettings, ignored: true } },
    );
    await follows("kept");
    assert.deepEqual(
      engine.asked.map(({ externalId }) => externalId),
      ["kept"],
    );
    await show(1, { externalId: "kept", name: "kept", labels: { "service.logs.keep": "false" } });
    await follows();
  });

  it("loses no line and has none twice when the stream is cut, the engine is away, or the program starts again", async () => {
    engine.write("web", 1, "a");
    await show(0, { externalId: "web", name: "web" });
    await follows("web");
    engine.write("web", 2, "b", "b", "b");
    await finds(["a", "b", "b", "b"]);
    engine.setAway(true);
    engine.cut();
    await clock.advance(5000);
    engine.write("web", 2, "b", "c");
    engine.setAway(false);
    await follows("web");
    await finds(["a", "b", "b", "b", "b", "c"]);

    await logs.stop();
    engine.write("web", 3, "d");
    await start();
    await follows("web");
    engine.write("web", 4, "e");
    await finds(["a", "b", "b", "b", "b", "c", "d", "e"]);
    assert.equal(captured.text(), "");
  });

  it("says that lines may be missing when the log was rotated meanwhile", async () => {
    engine.write("web", 1, "a");
    await show(0, { externalId: "web", name: "web", createdAt: after(-100) });
    await follows("web");
    await logs.stop();
    engine.remove("web");
    engine.write("web", 60, "long after");
    await start();
    await finds(["a", "long after"]);
    assert.match(captured.text(), /lines of a log may not have been stored/);
  });

  it("continues with the log of the container that takes its place, and keeps it when that is gone", async () => {
    engine.write("web-1", 1, "of the first");
    await show(0, { externalId: "web-1", name: "web" });
    await follows("web-1");
    await finds(["of the first"]);
    const id = idOf("web-1");

    engine.cut();
    engine.remove("web-1");
    await show(10);
    engine.write("web-2", 11, "of the second");
    await show(12, { externalId: "web-2", name: "web" });
    assert.equal(idOf("web-2"), id);
    await follows("web-2");
    await finds(["of the first", "of the second"]);

    engine.cut();
    engine.remove("web-2");
    await show(20);
    await follows();
    await finds(["of the first", "of the second"]);
    await finds(["of the first", "of the second"], { container_id: id });
    await finds(["of the second"], { q: "second" });

    const signal = new AbortController().signal;
    const last = async (query: { lines: number; search?: string; since?: string }): Promise<[string[], boolean]> => {
      const { lines, truncated } = await containers.service.logs(id, { timestamps: true, ...query }, signal);
      return [lines.map(({ text }) => text), truncated];
    };
    assert.deepEqual(await last({ lines: 5 }), [["of the first", "of the second"], false]);
    assert.deepEqual(await last({ lines: 1 }), [["of the second"], true]);
    assert.deepEqual(await last({ lines: 5, search: "FIRST" }), [["of the first"], false]);
    assert.deepEqual(await last({ lines: 5, since: after(11).toISOString() }), [["of the second"], false]);
  });

  const slot = (task: string, createdSeconds: number): Partial<ContainerSighting> => {
    const labels = {
      "com.docker.swarm.service.id": "s",
      "com.docker.swarm.service.name": "shop",
      "com.docker.swarm.task.name": `shop.1.${task}`,
    };
    return { externalId: task, name: `shop.1.${task}`, labels, createdAt: after(createdSeconds) };
  };

  it("has the first lines of a container that ran beside the one whose place it takes", async () => {
    engine.write("old", 1, "old: begins");
    await show(0, slot("old", 0));
    await follows("old");
    const id = idOf("old");
    engine.write("new", 40, "new: migrates", "new: ready");
    await show(40, slot("old", 0), slot("new", 39));
    await follows("new", "old");
    engine.write("old", 70, "old: ends");
    await finds(["old: begins", "new: migrates", "new: ready", "old: ends"]);
    await show(80, slot("new", 39));
    assert.equal(idOf("new"), id);
    const whole = ["old: begins", "new: migrates", "new: ready", "old: ends"];
    await finds(whole, { container_id: id });
    // Cut before it wrote anything newer.
    engine.cut();
    await clock.advance(5000);
    await follows("new");
    await finds(whole, { container_id: id });
    engine.write("new", 85, "new: serves");
    await finds([...whole, "new: serves"], { container_id: id });
    engine.cut();
    await clock.advance(5000);
    await follows("new");
    assert.deepEqual(engine.asked.at(-1)?.options.since, after(75));
    assert.equal(captured.text(), "");
  });

  for (const isRead of [false, true])
    it(`has them too when the program is stopped ${isRead ? "before it writes anything newer" : "while it takes that place"}`, async () => {
      engine.write("old", 1, "old: begins");
      await show(0, slot("old", 0));
      await follows("old");
      const id = idOf("old");
      engine.write("new", 40, "new: migrates", "new: ready");
      await show(40, slot("old", 0), slot("new", 39));
      await follows("new", "old");
      engine.write("old", 70, "old: ends");
      const whole = ["old: begins", "new: migrates", "new: ready", "old: ends"];
      await finds(whole);
      await clock.advance(4000);
      if (!isRead) await logs.stop();
      await show(80, slot("new", 39));
      if (isRead) {
        await finds(whole, { container_id: id });
        await logs.stop();
      }
      await start();
      await follows("new");
      await finds(whole, { container_id: id });
      engine.write("new", 85, "new: serves");
      await finds([...whole, "new: serves"], { container_id: id });
      await clock.advance(4000);
      await logs.stop();
      await start();
      await follows("new");
      assert.deepEqual(engine.asked.at(-1)?.options.since, after(75));
      assert.equal(captured.text(), "");
    });

  it("reads the logs of other hosts by what is new in them, without following any", async () => {
    engine.write("far", 1, "a", "b");
    await showFar("far");
    await finds(["a", "b"]);
    engine.setAway(true);
    engine.write("far", 1, "b");
    await clock.advance(60_000);
    engine.setAway(false);
    await finds(["a", "b", "b"]);

    // More than is asked for at first.
    const many = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
    engine.write("far", 70, ...many);
    await finds(many.slice(0, 100), { q: "line" });
    assert.deepEqual(await texts({ q: "line 1999" }), ["line 1999"]);
    assert.ok(engine.asked.every(({ options }) => !options.follow));
    assert.equal(captured.text(), "");
  });

  it("keeps the newest lines of another host when more text comes at once than is taken, and says so", async () => {
    const text = "x".repeat(60_000);
    for (let at = 0; at < 400; at += 1) engine.write("far", 1 + at, `${at} ${text}`);
    await showFar("far");
    const numbers = async (): Promise<number[]> => {
      const found = await logs.search({ limit: 1000, order: "oldest" }, new AbortController().signal);
      return found.lines.map((line) => Number.parseInt(line.text, 10));
    };
    await until(async () => {
      await clock.advance(1000);
      return (await numbers()).at(-1) === 399 && store.ids().length === 1;
    });
    assert.equal((await numbers())[0], 134);
    assert.match(captured.text(), /more text came at once than is taken/);
  });

  it("lets go of a log of another host that does not end, and keeps what came of it", async () => {
    engine.write("far", 1, "a");
    engine.write("near", 2, "b");
    engine.hang("far");
    await showFar("far", "near");
    await until(async () => {
      await clock.advance(10_000);
      return store.ids().length === 2;
    });
    const search = logs.search({ limit: 100, order: "oldest" }, new AbortController().signal);
    await clock.advance(10_000);
    const { lines, gaps } = await search;
    assert.deepEqual(
      [...lines.map(({ text }) => text), ...gaps.map(({ container_name: name, reason }) => `${name}: ${reason}`)],
      ["a", "b", "far: out_of_time"],
    );
  });

  it("searches in the runtime what is not stored of a stored log, and names it when that cannot be reached", async () => {
    engine.write("web-1", 1, "early");
    await show(0, { externalId: "web-1", name: "web" });
    await finds(["early"]);
    engine.setAway(true);
    engine.cut();
    await clock.advance(5000);
    engine.write("web-1", 3000, "FATAL while not read");
    await clock.advance(HOUR_MS);
    const search = (query: object = {}) => logs.search({ limit: 100, order: "oldest", ...query }, new AbortController().signal);
    const { lines, is_complete: isComplete, gaps } = await search();
    assert.deepEqual([lines.map(({ text }) => text), isComplete], [["early"], false]);
    assert.deepEqual(
      gaps.map(({ container_name: name, reason, message }) => [name, reason, message]),
      [["web", "unreadable", "The engine is away."]],
    );
    assert.equal((await search({ until: after(1).toISOString() })).is_complete, true);

    engine.setAway(false);
    engine.write("web-2", 1, "of the same time");
    engine.write("web-2", 3500, "of one whose log is not stored");
    await show(3500, { externalId: "web-2", name: "web", labels: { "service.logs.keep": "false" } });
    await clock.advance(5000);
    engine.write("web-2", 3601, "FATAL of one that runs now");
    const found = await search();
    assert.deepEqual(
      found.lines.map(({ text }) => text),
      ["early", "of the same time", "of one whose log is not stored", "FATAL of one that runs now"],
    );
    assert.deepEqual([found.is_complete, found.searched.containers], [true, 1]);
    const page = await search({ limit: 1 });
    const next = await search({ limit: 1, cursor: page.next_cursor ?? "" });
    assert.deepEqual(
      [...page.lines, ...next.lines].map(({ text }) => text),
      ["early", "of the same time"],
    );
  });

  it("reads what has ended once", async () => {
    engine.write("job", 1, "done");
    await show(2, { externalId: "job", name: "job", state: "exited", exitCode: 0, finishedAt: after(1) });
    await finds(["done"]);
    await clock.advance(120_000);
    assert.equal(engine.asked.length, 1);
    assert.equal(engine.asked[0]?.options.follow, false);
  });
});
