import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { swarmNode, swarmService, swarmSighting, swarmTopology } from "../../../test/support/swarm-topology.ts";
import type { SwarmTopology } from "../../observations/swarm.ts";
import { silentLog } from "../../platform/log.ts";
import { MAX_NODES, MAX_SERVICES } from "../wire/index.ts";
import { createEncoder } from "./encoder.ts";
import { createOversize } from "./oversize.ts";

const many = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));

test("a swarm of more services or nodes than a server takes is not sent, and the agent says so", () => {
  const oversize = createOversize({ clock: createFakeClock(), log: silentLog });
  let seq = 0;
  const encode = createEncoder({ nextSeq: () => ++seq, run: Buffer.alloc(8), isSpooled: () => false, oversize, log: silentLog });
  const sent = (topology: Partial<SwarmTopology>): number =>
    encode({ kind: "swarm.observed", observedAt: new Date(0), swarm: swarmSighting({ topology: swarmTopology(topology) }) }, 0).length;
  const services = many(MAX_SERVICES, (index) => swarmService({ name: `web-${index}` }));
  const nodes = many(MAX_NODES, swarmNode);
  assert.equal(sent({ services, nodes, tasks: [] }), 1);
  assert.deepEqual(oversize.status().tooLarge, []);
  assert.equal(sent({ services: [...services, swarmService()] }), 0);
  assert.match(oversize.status().tooLarge.join(), /not sent: it has more than 2000 services or 1000 nodes/);
  assert.equal(sent({ services, nodes: [...nodes, swarmNode(5000)] }), 0);
  assert.equal(sent({}), 1);
  assert.deepEqual(oversize.status().tooLarge, []);
});
