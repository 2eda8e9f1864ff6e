import assert from "node:assert/strict";
import { it } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { runtimeSwarm } from "../../test/support/swarm-topology.ts";
import { turnUntil } from "../../test/support/turn-until.ts";
import { silentLog } from "../platform/log.ts";
import { createLocalHost } from "./local-host.ts";

it("shows that its engine became a manager, and that it is none any more, without a new connection", async () => {
  const clock = createFakeClock();
  const engine = createFakeRuntime(1, clock);
  let isManager = false;
  let described = 0;
  const host = createLocalHost({
    runtime: {
      ...engine,
      async describe(signal) {
        described += 1;
        const description = await engine.describe(signal);
        return { ...description, capabilities: { ...description.capabilities, swarm: isManager } };
      },
      swarm: {
        read: async () => runtimeSwarm(isManager ? {} : { standing: "inactive", clusterId: null, topology: null }),
        async *changes() {},
      },
    },
    sink: { observe: () => undefined },
    hostProc: "/proc",
    clock,
    log: silentLog,
    resumeFrom: () => undefined,
    onStatus: () => undefined,
  });
  host.start();
  await turnUntil(clock, () => host.status().connected, { stepMs: 100, mostMs: 5_000 });
  const { since } = host.status();
  await clock.advance(20_000);
  assert.equal(described, 1, "nothing is asked again while nothing changes");
  for (const next of [true, false]) {
    isManager = next;
    await turnUntil(clock, () => host.status().capabilities.swarm === next, { stepMs: 1_000, mostMs: 60_000 });
  }
  assert.deepEqual([host.status().connected, host.status().since], [true, since]);
  await host.stop();
});
