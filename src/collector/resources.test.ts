import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type FakeClock, createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog } from "../../test/support/http-server.ts";
import type { HostReading, Observation } from "../observations.ts";
import { ServiceError } from "../platform/errors.ts";
import type { ContainerUsage, Runtime } from "../runtimes/runtime.ts";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { type ResourceCollector, createResourceCollector } from "./resources.ts";

const START = new Date("2026-03-01T12:00:03.500Z");
const HOST: HostReading = {
  hostname: "harbour",
  os: null,
  cpuCount: 2,
  cpuPercent: null,
  memoryBytes: 1,
  memoryTotalBytes: 2,
  diskBytes: null,
  diskTotalBytes: null,
  load: null,
  uptimeSeconds: null,
};

describe("resource collector", () => {
  let clock: FakeClock;
  let collector: ResourceCollector;
  let observed: Observation[];
  let log: ReturnType<typeof createMemoryLog>;
  let connected: boolean;
  let allowed: boolean;
  /** What the runtime does when it is asked. */
  let stats: Runtime["stats"];
  let readHost: () => Promise<HostReading>;
  let asked: number;

  beforeEach(() => {
    clock = createFakeClock(START);
    observed = [];
    log = createMemoryLog();
    [connected, allowed, asked] = [true, true, 0];
    stats = async () => [];
    readHost = async () => HOST;
    const runtime: Runtime = {
      ...createFakeRuntime(0),
      stats(signal) {
        asked += 1;
        return stats(signal);
      },
    };
    collector = createResourceCollector({
      runtime,
      host: { read: () => readHost() },
      sink: { observe: (_agentId, observation) => void observed.push(observation) },
      agentId: null,
      clock,
      log,
      status: () => ({ connected, capabilities: { events: true, stats: allowed, logs: true, swarm: false, metrics: false } }),
    });
    collector.start();
  });
  afterEach(() => collector.stop());

  /** Seconds of the ticks at which something was reported. */
  const ticks = (kind: Observation["kind"]): number[] =>
    observed.filter((one) => one.kind === kind).map(({ observedAt }) => (observedAt.getTime() - START.getTime() + 3_500) / 1000);
  const latest = (): Extract<Observation, { kind: "resources.sampled" }>["readings"] => {
    const found = observed.findLast((one) => one.kind === "resources.sampled");
    assert.ok(found?.kind === "resources.sampled");
    return found.readings;
  };
  /** A container that burns one of two CPUs and sends 100 bytes a second since the clock's zero. */
  const burning = (facts: Partial<ContainerUsage> = {}): ContainerUsage => ({
    externalId: "a",
    readAtMs: clock.monotonicMs(),
    cpuNanoseconds: clock.monotonicMs() * 1e6,
    allocatedCpus: 2,
    memoryBytes: 5,
    memoryLimitBytes: 10,
    networkRxBytes: clock.monotonicMs() / 10,
    networkTxBytes: null,
    diskReadBytes: null,
    diskWriteBytes: null,
    ...facts,
  });
  const cpu = (): number | undefined => latest().columns.cpuPercent[0];

  it("reports the host and its containers at whole ticks of the wall clock", async () => {
    await clock.advance(6_499);
    assert.equal(observed.length, 0);
    await clock.advance(1);
    assert.deepEqual(
      observed.map(({ kind, observedAt }) => [kind, observedAt.toISOString()]),
      [
        ["host.sampled", "2026-03-01T12:00:10.000Z"],
        ["resources.sampled", "2026-03-01T12:00:10.000Z"],
      ],
    );
    await clock.advance(50_000);
    assert.deepEqual(ticks("resources.sampled"), [10, 20, 30, 40, 50, 60]);
    assert.deepEqual(ticks("host.sampled"), ticks("resources.sampled"));
  });

  it("reports by columns what each container uses, and that nothing runs", async () => {
    stats = async () => [burning(), burning({ externalId: "b", cpuNanoseconds: null, networkRxBytes: null })];
    await clock.advance(20_000);
    const { externalIds, columns } = latest();
    assert.deepEqual(externalIds, ["a", "b"]);
    assert.deepEqual([...columns.cpuPercent], [50, Number.NaN]);
    assert.deepEqual([...columns.cpuCoresUsed], [1, Number.NaN]);
    assert.deepEqual([...columns.memoryBytes], [5, 5]);
    assert.deepEqual([...columns.networkRxBytesPerSecond], [100, Number.NaN]);
    assert.deepEqual([...columns.networkTxBytes], [Number.NaN, Number.NaN]);
    stats = async () => [];
    await clock.advance(10_000);
    assert.deepEqual([latest().externalIds, latest().columns.cpuPercent.length], [[], 0]);
  });

  it("knows no rates at first, after a restart those since it, and after a gap none", async () => {
    stats = async () => [burning()];
    await clock.advance(6_500);
    assert.equal(cpu(), Number.NaN);
    await clock.advance(10_000);
    assert.equal(cpu(), 50);
    stats = async () => [burning({ cpuNanoseconds: 4e9 })];
    await clock.advance(10_000);
    assert.equal(cpu(), 20);
    stats = async () => [];
    await clock.advance(30_000);
    stats = async () => [burning()];
    await clock.advance(10_000);
    assert.equal(cpu(), Number.NaN);
    await clock.advance(10_000);
    assert.equal(cpu(), 50);
  });

  it("carries rates over a container that was too slow to answer", async () => {
    stats = async () => [burning()];
    await clock.advance(6_500);
    stats = async () => [];
    await clock.advance(20_000);
    assert.deepEqual(latest().externalIds, []);
    stats = async () => [burning()];
    await clock.advance(10_000);
    assert.equal(cpu(), 50);
  });

  it("takes what was answered within eight seconds, and is on time again at the next tick", async () => {
    stats = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve([burning()])));
    await clock.advance(6_500 + 7_999);
    assert.deepEqual(ticks("resources.sampled"), []);
    await clock.advance(1);
    assert.deepEqual(ticks("resources.sampled"), [10]);
    await clock.advance(2_000);
    assert.deepEqual(ticks("host.sampled"), [10, 20]);
  });

  it("skips ticks that it overruns, and never asks twice at once", async () => {
    const answers: (() => void)[] = [];
    stats = () => new Promise((resolve) => answers.push(() => resolve([])));
    await clock.advance(6_500 + 25_000);
    assert.deepEqual([asked, ticks("host.sampled")], [1, [10]]);
    answers.pop()?.();
    await clock.advance(10_000);
    assert.deepEqual([asked, ticks("host.sampled"), ticks("resources.sampled")], [2, [10, 40], [10]]);
    answers.pop()?.();
  });

  it("reports nothing of containers when the runtime could not be asked, and logs why only once", async () => {
    const reason = "Docker did not answer.";
    stats = async () => Promise.reject(new ServiceError("runtime_unavailable", reason));
    await clock.advance(36_500);
    assert.deepEqual([ticks("resources.sampled"), ticks("host.sampled")], [[], [10, 20, 30, 40]]);
    assert.deepEqual(
      log.lines.map(({ level, fields }) => [level, fields["reason"]]),
      [["warn", reason]],
    );
    stats = async () => [];
    await clock.advance(10_000);
    assert.deepEqual(ticks("resources.sampled"), [50]);
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ["warn", "info"],
    );
    stats = async () => Promise.reject(new ServiceError("runtime_unavailable", reason));
    await clock.advance(10_000);
    assert.equal(log.lines.length, 3);
  });

  it("does not ask a runtime that is not connected, or does not allow it", async () => {
    connected = false;
    await clock.advance(6_500);
    connected = true;
    allowed = false;
    await clock.advance(10_000);
    assert.deepEqual([asked, ticks("host.sampled"), ticks("resources.sampled")], [0, [10, 20], []]);
    allowed = true;
    await clock.advance(10_000);
    assert.deepEqual([asked, ticks("resources.sampled")], [1, [30]]);
  });

  it("reports containers when the host cannot be read", async () => {
    readHost = async () => Promise.reject(new Error("no /proc"));
    await clock.advance(16_500);
    assert.deepEqual([ticks("host.sampled"), ticks("resources.sampled"), log.lines.length], [[], [10, 20], 1]);
  });

  it("is aligned again after the machine slept, with a gap in between", async () => {
    stats = async () => [burning()];
    await clock.advance(6_500 + 12_000);
    // Asleep, the wall clock runs and the other one stands still; the timer is 8 s from firing.
    clock.jump(new Date(clock.now().getTime() + 3_600_000));
    await clock.advance(20_000);
    assert.deepEqual(ticks("resources.sampled"), [10, 20, 3640]);
    assert.equal(cpu(), 50, "counters and elapsed time stood still alike");
  });

  for (const jumpMs of [-7_203_000, 7_203_000]) {
    it(`is aligned again after the clock was set by ${jumpMs / 1000} s`, async () => {
      await clock.advance(16_500);
      clock.jump(new Date(clock.now().getTime() + jumpMs));
      observed = [];
      await clock.advance(40_000);
      assert.ok(observed.length >= 4);
      assert.ok(observed.every(({ observedAt }) => observedAt.getTime() % 10_000 === 0));
      const last = observed.at(-1)?.observedAt.getTime() ?? 0;
      assert.ok(clock.now().getTime() - last < 10_000);
    });
  }

  it("waits out a timer that fires early", async () => {
    await clock.advance(6_500);
    // Rounding makes the wall clock lag behind the timers by a part of a millisecond.
    clock.jump(new Date(clock.now().getTime() - 1));
    await clock.advance(10_000);
    assert.deepEqual(ticks("host.sampled"), [10]);
    await clock.advance(1);
    assert.deepEqual(ticks("host.sampled"), [10, 20]);
  });

  it("stops in the middle of an answer without reporting it", async () => {
    stats = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve([burning()])));
    await clock.advance(7_000);
    await collector.stop();
    assert.deepEqual([ticks("host.sampled"), ticks("resources.sampled"), log.lines], [[10], [], []]);
    await clock.advance(30_000);
    assert.equal(observed.length, 1);
  });
});
