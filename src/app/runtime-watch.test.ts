import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { RuntimeConnection } from "../observations.ts";
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
  const status = (connected: boolean): RuntimeConnection => ({
    runtime: "docker",
    connected,
    version: null,
    apiVersion: null,
    error: connected ? null : "there is no such socket",
    since: clock.now(),
  });
  return { bus, clock, watch, told, status };
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

test("that of an agent is lost though it was never reached since the start, and forgotten with its host", async () => {
  const { clock, watch, told, status } = setUp();
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
  assert.deepEqual([told, watch.announce()], [[true, false], []]);
});

test("that of a revoked agent is neither lost later nor announced any more", async () => {
  const { bus, clock, watch, told, status } = setUp();
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
  assert.deepEqual([told, watch.announce()], [[true], []]);
});
