import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../test/support/databases.ts";
import { startFleetServer } from "../../test/support/fleet-server.ts";
import { repetitions } from "../../test/support/repetitions.ts";
import { hostOf } from "../../test/support/sightings.ts";
import { until } from "../../test/support/until.ts";
import { worldOf } from "../../test/support/uplink.ts";
import type { Observation } from "../observations.ts";

/** With 40 labels each, some 6 MB; what arrives of 10,000 is tested in uplink/listings.test.ts. */
const COUNT = repetitions({ gate: 1500, long: 10_000 });

const inventory = (containers: ReturnType<typeof hostOf>): Observation => ({
  kind: "container.inventory",
  observedAt: new Date(),
  containers,
});

onBothDatabases((databases) => {
  it("a host whose listing is larger than a message is listed by its agent, and only what is gone goes", async (t) => {
    const { fleet, hosts, port } = await startFleetServer(t, await databases.create());
    let containers = hostOf(COUNT, 40);
    const world = await worldOf(t, {
      server: { host: "127.0.0.1", port, isPlain: true },
      enrollmentToken: await fleet.token(),
      refresh: async () => world.uplink.observe(null, inventory(containers)),
    });
    world.start();
    const present = () => hosts.containers.present.ofHost(world.uplink.status().agentId ?? "");
    await until(() => present().length === COUNT, { withinMs: 120_000, what: `listed; ${world.logText()}` });
    assert.equal(Object.keys(present()[COUNT - 1]?.labels ?? {}).length, 40);
    containers = containers.slice(0, COUNT - 1);
    world.uplink.observe(null, inventory(containers));
    await until(() => present().length === COUNT - 1, { withinMs: 120_000 });
    const { agents } = fleet.agents.service.metrics();
    assert.deepEqual(
      agents.map(({ oversize, listings_dropped, streams }) => ({ oversize, listings_dropped, streams })),
      [{ oversize: 0, listings_dropped: 0, streams: 1 }],
    );
  });
});
