import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import type { Observation } from "../observations.ts";
import { createObservedHosts } from "./observed-hosts.ts";

const AGENT = "0190c7a4-0000-7000-8000-000000000001";

test("a host was observed when its runtime was listed or watched, each host by itself", async () => {
  const clock = createFakeClock();
  const hosts = createObservedHosts(clock);
  const begun = clock.now();
  const watched: Observation = { kind: "host.watched", since: begun, observedAt: begun };
  assert.equal(hosts.lastObservedAt(null), null);
  await hosts.observe(null, [{ kind: "container.inventory", observedAt: begun, containers: [] }]);
  assert.deepEqual(hosts.lastObservedAt(null), begun);
  assert.equal(hosts.lastObservedAt(AGENT), null);
  await clock.advance(10_000);
  await hosts.observe(AGENT, [watched]);
  assert.deepEqual([hosts.lastObservedAt(null), hosts.lastObservedAt(AGENT)], [begun, clock.now()]);
  hosts.forgetHost(AGENT);
  assert.equal(hosts.lastObservedAt(AGENT), null);
});

test("what else a host says is no observation of its containers, and our clock may be set", async () => {
  const clock = createFakeClock();
  const hosts = createObservedHosts(clock);
  const at = clock.now();
  await hosts.observe(null, [{ kind: "host.watched", since: at, observedAt: at }]);
  await clock.advance(30_000);
  const status = { runtime: "docker", connected: false, version: null, apiVersion: null, error: "gone", since: at } as const;
  await hosts.observe(null, [{ kind: "runtime.changed", observedAt: at, status }]);
  clock.jump(new Date(at.getTime() - 3_600_000));
  assert.equal(clock.now().getTime() - (hosts.lastObservedAt(null)?.getTime() ?? NaN), 30_000);
});
