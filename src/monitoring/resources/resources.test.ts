import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { hostReading, type Reading, sampled } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { Observation } from "../../observations.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { ContainerRecord } from "../containers/api.ts";
import type { ContainerList } from "../containers/answers.ts";
import type { Sparklines } from "./answers.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const NOON = new Date("2026-03-01T12:00:00Z");
const busy: Reading = { cpuPercent: 50.004, cpuCoresUsed: 1, memoryBytes: 250, memoryLimitBytes: 1000, networkRxBytesPerSecond: 10 };
const idle: Reading = { cpuPercent: 1, cpuCoresUsed: 0.02, memoryBytes: 500, memoryLimitBytes: 1000, networkRxBytesPerSecond: 1 };

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watching: Watching;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watching = await startWatching({ database, clock });
    await watching.show({ externalId: "a", name: "web" }, { externalId: "b", name: "db" });
  });
  afterEach(() => watching.stop());

  const seconds = (count: number): Date => new Date(NOON.getTime() + count * 1000);
  const hostSampled = (at: Date, facts = {}): Observation => ({ kind: "host.sampled", observedAt: at, host: hostReading(facts) });
  const cpuOf = async (id: number): Promise<number | null> => (await watching.resources.service.current(id)).cpu_percent;
  const row = async (id: number): Promise<ContainerRecord["resources"]> => {
    const body = await watching.containers.service.list({ archived: false, ignored: false });
    const list = JSON.parse(String(body)) as ContainerList;
    const record = list.groups.flatMap((group) => group.containers).find((each) => each.id === id);
    assert.ok(record !== undefined && "resources" in record);
    return record.resources;
  };

  it("answers the latest tick, in its own route, in the list and in the detail", async () => {
    const id = watching.id("a");
    assert.equal(await row(id), null);
    await watching.tick({ a: busy, b: idle });
    assert.partialDeepStrictEqual(await watching.resources.service.current(id), {
      container_id: id,
      cpu_percent: 50,
      memory_percent: 25,
      network_rx_bytes_per_second: 10,
      network_tx_bytes_per_second: null,
      timestamp: NOON.toISOString(),
    });
    const shown = { cpu_percent: 50, memory_bytes: 250, memory_percent: 25, timestamp: NOON.toISOString() };
    assert.deepEqual(await row(id), shown);
    assert.deepEqual((await watching.containers.service.detail(id)).resources, shown);
    await clock.advance(10_000);
    await watching.tick({ a: idle, b: idle });
    assert.equal((await row(id))?.cpu_percent, 1);
  });

  it("publishes one snapshot for each host and tick, and makes it when it is read", async () => {
    await watching.see(null, hostSampled(NOON), sampled(NOON, { a: busy, unknown: busy, b: idle }));
    const [snapshot] = watching.published("resource.snapshot");
    assert.equal(watching.published("resource.snapshot").length, 1);
    assert.deepEqual(
      snapshot?.snapshots.map(({ container_id, cpu_percent, timestamp }) => [container_id, cpu_percent, timestamp]),
      [
        [watching.id("a"), 50, NOON.toISOString()],
        [watching.id("b"), 1, NOON.toISOString()],
      ],
    );
    assert.partialDeepStrictEqual(snapshot?.host, { agent_id: null, hostname: "harbour", cpu_percent: 12.35, running_containers: 2 });
    const wire = JSON.parse(JSON.stringify(snapshot)) as object;
    assert.deepEqual(Object.keys(wire), ["agent_id", "host", "snapshots", "timestamp"]);
  });

  it("leaves out ignored containers", async () => {
    await watching.show({ externalId: "a", settings: { ...defaultSettings, ignored: true } }, { externalId: "b" });
    await watching.tick({ a: busy, b: idle });
    assert.equal(await cpuOf(watching.id("a")), null);
    assert.equal(watching.published("resource.snapshot")[0]?.snapshots.length, 1);
    await watching.show({ externalId: "a" }, { externalId: "b", settings: { ...defaultSettings, ignored: true } });
    const sparklines = watching.resources.service.sparklines(undefined);
    assert.deepEqual(sparklines.containers, []);
    await watching.show({ externalId: "a", settings: { ...defaultSettings, ignored: true } }, { externalId: "b" });
    assert.equal(watching.resources.service.hosts().hosts[0]?.running_containers, 1);
  });

  it("forgets a container that is not in the next tick, and one that stopped at once", async () => {
    const [a, b] = [watching.id("a"), watching.id("b")];
    await watching.tick({ a: busy, b: busy });
    await watching.see(null, {
      kind: "container.seen",
      observedAt: seconds(5),
      container: sighting({ externalId: "a", state: "exited", exitCode: 0 }),
    });
    assert.deepEqual([await cpuOf(a), await row(a)], [null, null]);
    assert.equal(await cpuOf(b), 50);
    await clock.advance(10_000);
    await watching.tick({});
    assert.deepEqual([await cpuOf(b), await row(b)], [null, null]);
  });

  it("forgets the values of a silent host after 35 seconds, and publishes that", async () => {
    const b = watching.id("b");
    await watching.see(null, hostSampled(NOON), sampled(NOON, { b: busy }));
    await clock.advance(35_000);
    assert.equal(await cpuOf(b), 50);
    assert.equal(watching.resources.service.hosts().hosts[0]?.available, true);
    await clock.advance(1);
    assert.equal(await cpuOf(b), null);
    await clock.advance(5_000);
    assert.equal(await row(b), null);
    assert.partialDeepStrictEqual(watching.resources.service.hosts().hosts[0], { available: false, timestamp: NOON.toISOString() });
    const snapshot = watching.published("resource.snapshot").at(-1);
    assert.deepEqual([snapshot?.snapshots, snapshot?.host?.available], [[], false]);
    assert.deepEqual((await watching.resources.service.top({ sort: "cpu", by: "use", limit: 10, agentId: undefined })).consumers, []);
    await clock.advance(60_000);
    assert.equal(watching.published("resource.snapshot").length, 2, "it is published once");
  });

  it("publishes a host whose containers cannot be read", async () => {
    const published = () =>
      watching.published("resource.snapshot").map(({ host, snapshots, timestamp }) => [host?.hostname, snapshots.length, timestamp]);
    await watching.see(null, hostSampled(NOON));
    assert.deepEqual(published(), [["harbour", 0, NOON.toISOString()]]);
    await watching.see(null, sampled(NOON, { a: busy }));
    await clock.advance(10_000);
    await watching.see(null, hostSampled(seconds(10)));
    assert.deepEqual(published().slice(1), [["harbour", 1, NOON.toISOString()]], "with readings it waits for them");
    await clock.advance(40_000);
    await watching.see(null, hostSampled(seconds(50)));
    assert.deepEqual(published().at(-1), ["harbour", 0, seconds(50).toISOString()]);
  });

  it("puts late ticks into the series alone, and is not changed by the same again", async () => {
    const a = watching.id("a");
    await clock.advance(60_000);
    const late = sampled(seconds(20), { a: { ...busy, cpuPercent: 99 } });
    const last = sampled(seconds(60), { a: busy });
    for (const each of [last, late, last, late]) await watching.see(null, each);
    assert.equal(await cpuOf(a), 50);
    assert.equal(watching.published("resource.snapshot").length, 1);
    const { series } = await watching.resources.service.history(a, "1h");
    assert.deepEqual(
      series.timestamps.flatMap((timestamp, index) => (series.cpu_percent[index] === null ? [] : [[timestamp, series.cpu_percent[index]]])),
      [
        [seconds(20).toISOString(), 99],
        [seconds(60).toISOString(), 50],
      ],
    );
  });

  it("keeps the newest sample of a host", async () => {
    const uptime = (): (number | null)[] => watching.resources.service.hosts().hosts.map(({ uptime_seconds }) => uptime_seconds);
    await watching.see(null, hostSampled(seconds(20), { uptimeSeconds: 20 }));
    await watching.see(null, hostSampled(seconds(10), { uptimeSeconds: 10 }));
    assert.deepEqual(uptime(), [20]);
    await clock.advance(40_000);
    await watching.see(null, hostSampled(seconds(10), { uptimeSeconds: 10 }));
    assert.deepEqual(uptime(), [10], "after a silence its clock may have been set back");
  });

  it("believes a host whose clock was set back, once it has been silent", async () => {
    const a = watching.id("a");
    await watching.see(null, sampled(seconds(300), { a: busy }));
    await clock.advance(10_000);
    await watching.tick({ a: idle });
    assert.equal(await cpuOf(a), 50);
    await clock.advance(30_000);
    await watching.tick({ a: idle });
    assert.equal(await cpuOf(a), 1);
  });

  it("takes what waited in one go: all of it is kept, the newest is published", async () => {
    const a = watching.id("a");
    await clock.advance(60_000);
    await watching.see(null, ...[10, 20, 30, 40, 50, 60].map((second) => sampled(seconds(second), { a: { cpuPercent: second } })));
    assert.deepEqual(
      watching.published("resource.snapshot").map(({ timestamp }) => timestamp),
      [seconds(60).toISOString()],
    );
    const { series } = await watching.resources.service.history(a, "1h");
    assert.deepEqual(series.cpu_percent.slice(-7), [null, 10, 20, 30, 40, 50, 60]);
  });

  it("answers history on a whole grid, with extremes, and null where nothing was measured", async () => {
    const a = watching.id("a");
    await watching.see(
      null,
      sampled(seconds(0), { a: { cpuPercent: 10, memoryBytes: 100.4, memoryLimitBytes: 1000 } }),
      sampled(seconds(20), { a: { cpuPercent: 20, diskReadBytesPerSecond: 7 } }),
    );
    await clock.advance(25_000);
    await watching.stop();
    watching = await startWatching({ database, clock, edition: () => "pro" });
    const wanted = { "1h": [360, 10], "6h": [720, 30], "24h": [720, 120], "7d": [672, 900], "30d": [720, 3600] } as const;
    for (const [range, [count, step]] of Object.entries(wanted)) {
      const history = await watching.resources.service.history(a, range as keyof typeof wanted);
      const { timestamps, ...columns } = history.series;
      assert.deepEqual([history.range, history.step_seconds, timestamps.length], [range, step, count]);
      assert.ok(Object.values(columns).every((column) => column.length === count));
      const last = Date.parse(timestamps.at(-1) ?? "");
      assert.ok(last % (step * 1000) === 0 && last <= clock.now().getTime() && last + step * 1000 > clock.now().getTime(), range);
    }
    const hour = (await watching.resources.service.history(a, "1h")).series;
    assert.deepEqual(hour.cpu_percent.slice(-4), [null, 10, null, 20]);
    assert.deepEqual(hour.memory_bytes.slice(-4), [null, 100, null, null]);
    assert.deepEqual(hour.disk_read_bytes_per_second.slice(-4), [null, null, null, 7]);
    const day = (await watching.resources.service.history(a, "24h")).series;
    assert.deepEqual([day.cpu_percent.at(-1), day.cpu_percent_max.at(-1), day.cpu_percent.at(-2)], [15, 20, null]);
  });

  it("ranks who uses most", async () => {
    await watching.see(AGENT, {
      kind: "container.inventory",
      observedAt: NOON,
      containers: [sighting({ externalId: "c", name: "far" })],
    });
    await watching.tick({ a: busy, b: idle });
    await watching.see(AGENT, sampled(NOON, { c: { cpuCoresUsed: 3, cpuPercent: 75 } }));
    const { top } = watching.resources.service;
    const first = await top({ sort: "cpu", by: "use", limit: 10, agentId: undefined });
    assert.deepEqual(
      first.consumers.map(({ name, agent_id, value, percent, rank }) => [name, agent_id, value, percent, rank]),
      [
        ["far", AGENT, 3, 75, 1],
        ["web", null, 1, 50, 2],
        ["db", null, 0.02, 1, 3],
      ],
    );
    const { consumers: byMemory } = await top({ sort: "memory", by: "use", limit: 1, agentId: undefined });
    assert.deepEqual(
      byMemory.map(({ name, value, percent }) => [name, value, percent]),
      [["db", 500, 50]],
    );
    const there = await top({ sort: "memory", by: "use", limit: 10, agentId: AGENT });
    assert.deepEqual(there.consumers, [], "one without a value is left out");
    const here = await top({ sort: "cpu", by: "use", limit: 10, agentId: null });
    assert.deepEqual(
      here.consumers.map(({ name }) => name),
      ["web", "db"],
    );
  });

  it("shows every host, the local one before its first sample too", async () => {
    assert.deepEqual(watching.resources.service.hosts().hosts, [
      {
        agent_id: null,
        label: "local",
        hostname: null,
        os: null,
        runtime: "docker",
        cpu_percent: null,
        cpu_count: null,
        memory_bytes: null,
        memory_total_bytes: null,
        disk_bytes: null,
        disk_total_bytes: null,
        load: null,
        uptime_seconds: null,
        running_containers: 2,
        available: false,
        timestamp: null,
      },
    ]);
    await watching.see(AGENT, hostSampled(NOON, { hostname: "far", memoryBytes: null }));
    assert.deepEqual(
      watching.resources.service
        .hosts()
        .hosts.map(({ agent_id, label, available, memory_bytes }) => [agent_id, label, available, memory_bytes]),
      [
        [null, "local", false, null],
        [AGENT, "far", true, null],
      ],
    );
  });

  it("sums up one host", async () => {
    await watching.see(null, hostSampled(NOON), sampled(NOON, { a: busy, b: idle }));
    assert.partialDeepStrictEqual(watching.resources.service.summary(null), {
      hostname: "harbour",
      running_containers: 2,
      total_containers: 2,
      containers: {
        cpu_cores_used: 1.02,
        memory_bytes: 750,
        network_rx_bytes_per_second: 11,
        network_tx_bytes_per_second: null,
        disk_read_bytes_per_second: null,
        disk_write_bytes_per_second: null,
      },
    });
    assert.throws(
      () => watching.resources.service.summary(AGENT),
      (error) => isServiceError(error, "not_found"),
    );
  });

  it("has sparklines of the last hour, and fills them after a restart", async () => {
    const sparklines = (): Sparklines => watching.resources.service.sparklines(undefined);
    for (let minute = 0; minute < 10; minute += 1) {
      await watching.tick({ a: { cpuPercent: minute, memoryBytes: 1, memoryLimitBytes: 4 } });
      await clock.advance(60_000);
    }
    await watching.tick({ a: { cpuPercent: 20, memoryBytes: 1, memoryLimitBytes: 4 } });
    const before = sparklines();
    assert.deepEqual(before.containers, [
      {
        container_id: watching.id("a"),
        cpu_percent: [...Array.from({ length: 24 }, () => null), 0.5, 2.5, 4.5, 6.5, 8.5, 20],
        memory_percent: [...Array.from({ length: 24 }, () => null), 25, 25, 25, 25, 25, 25],
      },
    ]);
    assert.equal(before.timestamps.at(-1), "2026-03-01T12:10:00.000Z");
    await watching.stop();
    watching = await startWatching({ database, clock });
    assert.deepEqual(sparklines().containers, []);
    await clock.advance(2_000);
    await turnUntil(clock, () => sparklines().containers.length > 0, { stepMs: 5, mostMs: 1000 });
    await clock.advance(20);
    assert.deepEqual(sparklines().containers, before.containers);
  });

  it("answers for an archived container what is left: its history", async () => {
    const id = watching.id("a");
    await watching.tick({ a: busy, b: idle });
    await watching.see(null, { kind: "container.gone", observedAt: seconds(5), externalId: "a" });
    const { service } = watching.resources;
    assert.partialDeepStrictEqual(await service.current(id), { container_id: id, cpu_percent: null, timestamp: null });
    assert.equal((await service.history(id, "1h")).series.cpu_percent.at(-1), 50);
    await assert.rejects(service.setThresholds(id, { cpu_threshold: 1, memory_threshold: 1, debounce_seconds: 0 }), (error) =>
      isServiceError(error, "conflict"),
    );
  });

  it("replays into the series alone, of archived containers too", async () => {
    const [a, b] = [watching.id("a"), watching.id("b")];
    await watching.see(null, { kind: "container.gone", observedAt: seconds(1), externalId: "b" });
    await clock.advance(60_000);
    watching.events.length = 0;
    for (let time = 0; time < 2; time += 1) await watching.resources.record(null, [sampled(seconds(30), { a: busy, b: idle, c: idle })]);
    assert.deepEqual([watching.events, await cpuOf(a)], [[], null]);
    for (const [id, value] of [
      [a, 50],
      [b, 1],
    ] as const) {
      const { cpu_percent } = (await watching.resources.service.history(id, "1h")).series;
      assert.deepEqual(
        cpu_percent.filter((each) => each !== null),
        [value],
      );
    }
  });

  it("does not know a container that is not there", async () => {
    const { service } = watching.resources;
    for (const ask of [() => service.current(4711), () => service.history(4711, "1h"), () => service.thresholds(4711)])
      await assert.rejects(ask, (error) => isServiceError(error, "not_found"));
  });
});
