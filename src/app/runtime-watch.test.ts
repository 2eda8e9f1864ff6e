import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { turnUntil } from "../../test/support/turn-until.ts";
import { createContainerCollector } from "../collector/containers.ts";
import type { RuntimeConnection } from "../observations.ts";
import type { Event } from "../events.ts";
import { createBus } from "../platform/bus.ts";
import { silentLog } from "../platform/log.ts";
import type { SeenContainer } from "./runtime-gap.ts";
import { createRuntimeWatch, type LostBefore } from "./runtime-watch.ts";

const START = new Date("2026-03-01T11:00:00.000Z");

function seen(id: number, facts: Partial<SeenContainer> = {}): SeenContainer {
  return {
    ...{ id, agentId: null, name: `c${id}`, state: "running", stopRequested: false, settings: { ignored: false } },
    ...{ startedAt: START, lastStateChangeAt: START, lastObservedAt: START },
    ...facts,
  };
}

function setUp({ present = [] as SeenContainer[], before = undefined as LostBefore | undefined } = {}) {
  const clock = createFakeClock();
  const bus = createBus<Event>(silentLog);
  const published: boolean[] = [];
  const stopped: string[][] = [];
  bus.subscribe("test", ({ type, data }) => {
    if (type !== "runtime.lost") return;
    published.push(data.lost);
    stopped.push(data.stopped);
  });
  const containers = new Map(present.map((each) => [each.id, each]));
  const ofHost = (agentId: string | null): SeenContainer[] => [...containers.values()].filter((each) => each.agentId === agentId);
  const hosts = (): Set<string | null> => new Set([...containers.values()].map(({ agentId }) => agentId));
  const watch = createRuntimeWatch({ bus, clock, present: { ofHost, hosts }, lostBefore: () => before });
  watch.start();
  const status = (connected: boolean): RuntimeConnection => ({
    runtime: "docker",
    connected,
    version: null,
    apiVersion: null,
    error: connected ? null : "there is no such socket",
    since: clock.now(),
  });
  return { bus, clock, watch, published, stopped, status, containers };
}

test("a runtime that was never reached is not lost", async () => {
  const { clock, watch, published, status } = setUp();
  watch.note(null, status(false));
  await clock.advance(120_000);
  assert.deepEqual([published, watch.announce()], [[], []]);
});

test("one that was reached before our start, and not since, is lost", async () => {
  const { clock, watch, published, status } = setUp({ present: [seen(1)] });
  watch.note(null, status(false));
  await clock.advance(31_000);
  assert.deepEqual([published, watch.announce().length], [[true], 1]);
});

test("one that restarts is not published", async () => {
  const { clock, watch, published, status } = setUp();
  watch.note(null, status(true));
  watch.note(null, status(false));
  await clock.advance(20_000);
  watch.note(null, status(true));
  await clock.advance(120_000);
  assert.deepEqual(published, [false]);
});

test("one that stays away is published once, announced while it lasts, and published again when it is back", async () => {
  const { clock, watch, published, status } = setUp();
  watch.note(null, status(true));
  watch.note(null, status(false));
  await clock.advance(29_000);
  assert.deepEqual(published, [false]);
  watch.note(null, status(false));
  await clock.advance(2_000);
  assert.deepEqual(published, [false, true]);
  assert.equal(watch.announce().length, 1);
  watch.note(null, status(true));
  assert.deepEqual(published, [false, true, false]);
  assert.deepEqual(watch.announce(), []);
});

test("that of an agent is lost though it was never reached since the start, and forgotten with its host", async () => {
  const { clock, watch, published, status } = setUp();
  const say = (agentId: string, connected: boolean) =>
    watch.observe(agentId, [{ kind: "runtime.changed", observedAt: clock.now(), status: status(connected) }]);
  await say("a", false);
  await say("b", false);
  watch.forgetHost("b");
  await clock.advance(31_000);
  assert.deepEqual(
    watch.announce().map(({ data }) => "agent_id" in data && data.agent_id),
    ["a"],
  );
  await say("a", true);
  assert.deepEqual([published, watch.announce()], [[true, false], []]);
});

test("that of a revoked agent is neither lost later nor announced any more", async () => {
  const { bus, clock, watch, published, status } = setUp();
  const say = (agentId: string, connected: boolean) =>
    watch.observe(agentId, [{ kind: "runtime.changed", observedAt: clock.now(), status: status(connected) }]);
  const revoke = (id: string) =>
    bus.publish({
      type: "agent.revoked",
      data: {
        ...{ id, agent_id: id, name: id, hostname: id, status: "revoked", previous_status: "active" },
        ...{ connection_state: "disconnected", timestamp: clock.now().toISOString() },
      },
    });
  await say("lost", false);
  await clock.advance(31_000);
  await say("soon", false);
  revoke("lost");
  revoke("soon");
  await clock.advance(31_000);
  assert.deepEqual([published, watch.announce()], [[true], []]);
});

for (const seconds of [8, 12, 16, 20, 24])
  test(`an engine that is away for ${seconds} seconds is found again before it counts as lost`, async () => {
    const { clock, watch, published, status } = setUp();
    const runtime = createFakeRuntime(1, clock);
    const describe = runtime.describe;
    const collector = createContainerCollector({
      runtime,
      sink: { observe: () => undefined },
      agentId: null,
      clock,
      log: silentLog,
      resumeFrom: () => undefined,
      onStatus: (next) => watch.note(null, next),
    });
    watch.note(null, status(true));
    runtime.describe = () => Promise.reject(new Error("down"));
    collector.start();
    await clock.advance(0);
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
    runtime.describe = describe;
    await turnUntil(clock, () => collector.status().connected, { stepMs: 100, mostMs: 5_500 });
    assert.deepEqual(published, [false]);
    const stopped = collector.stop();
    await clock.advance(1_000);
    await stopped;
  });
