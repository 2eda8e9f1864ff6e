import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { RuntimeStatus } from "../collector/containers.ts";
import type { Event } from "../events.ts";
import { createBus } from "../platform/bus.ts";
import { silentLog } from "../platform/log.ts";
import { createRuntimeWatch } from "./runtime-watch.ts";

function setUp() {
  const clock = createFakeClock();
  const bus = createBus<Event>(silentLog);
  const told: boolean[] = [];
  bus.subscribe("test", (event) => void (event.type === "runtime.lost" && told.push(event.data.lost)));
  const watch = createRuntimeWatch({ bus, clock });
  const status = (connected: boolean): RuntimeStatus => ({
    runtime: "docker",
    connected,
    version: null,
    apiVersion: null,
    error: connected ? null : "there is no such socket",
    since: clock.now(),
    address: "unix:///run/docker.sock",
    capabilities: { events: true, stats: true, logs: true, swarm: false, metrics: false },
    missing: [],
    hostname: null,
    operatingSystem: null,
  });
  return { clock, watch, told, status };
}

test("a runtime that was never reached is not lost", async () => {
  const { clock, watch, told, status } = setUp();
  watch.note(status(false));
  await clock.advance(120_000);
  assert.deepEqual([told, watch.announce()], [[], []]);
});

test("one that restarts is not told of", async () => {
  const { clock, watch, told, status } = setUp();
  watch.note(status(true));
  watch.note(status(false));
  await clock.advance(20_000);
  watch.note(status(true));
  await clock.advance(120_000);
  assert.deepEqual(told, []);
});

test("one that stays away is told of once, announced while it lasts, and told of again when it is back", async () => {
  const { clock, watch, told, status } = setUp();
  watch.note(status(true));
  watch.note(status(false));
  await clock.advance(29_000);
  assert.deepEqual(told, []);
  watch.note(status(false));
  await clock.advance(2_000);
  assert.deepEqual(told, [true]);
  assert.equal(watch.announce().length, 1);
  watch.note(status(true));
  assert.deepEqual(told, [true, false]);
  assert.deepEqual(watch.announce(), []);
});
