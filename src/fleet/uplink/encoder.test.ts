import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { swarmNode, swarmService, swarmSighting, swarmTopology, swarmTask } from "../../../test/support/swarm-topology.ts";
import type { SwarmTopology } from "../../observations/swarm.ts";
import { silentLog } from "../../platform/log.ts";
import { MAX_NODES, MAX_SERVICES } from "../wire/index.ts";
import { createEncoder, smallTopology, createOversize } from "./encoder.ts";

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

test("a swarm that fits into a message without its ended tasks is sent, and nothing else is said of it", () => {
  const oversize = createOversize({ clock: createFakeClock(), log: silentLog });
  let seq = 0;
  const encode = createEncoder({ nextSeq: () => ++seq, run: Buffer.alloc(8), isSpooled: () => false, oversize, log: silentLog });
  const sent = (error: string): number => {
    const tasks = many(5_000, (index) =>
      swarmTask({ id: `task-${index}`, state: "failed", error, createdAt: ago(90 + index), since: ago(90) }),
    );
    return encode({ kind: "swarm.observed", observedAt: NOW, swarm: swarmSighting({ topology: swarmTopology({ tasks }) }) }, 0).length;
  };
  assert.equal(sent("x".repeat(1000)), 1);
  assert.deepEqual(oversize.status(), {
    oversize: 1,
    tooLarge: ["Ended tasks and labels of services are not sent: the swarm is larger than an agent can send."],
  });
  assert.equal(sent("x"), 1);
  assert.deepEqual(oversize.status().tooLarge, []);
});

const NOW = new Date("2026-03-01T12:00:00Z");
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

test("the first place of a replicated job is one, on whichever nodes its tasks were", () => {
  const services = [swarmService({ mode: "replicated-job" })];
  const tried = (id: string, nodeId: string, minutes: number) =>
    swarmTask({ id, slot: null, nodeId, state: "failed", createdAt: ago(minutes), since: ago(minutes) });
  const { tasks } = smallTopology(swarmTopology({ services, tasks: [tried("last", "n2", 20), tried("before", "n1", 30)] }), NOW);
  assert.deepEqual(
    tasks.map(({ id }) => id),
    ["last"],
  );
});

test("a swarm that is sent in part keeps what problems are judged by", () => {
  const topology = swarmTopology({
    services: [swarmService({ labels: { team: "shop", "service.ignore": "true" }, constraints: ["node.role==worker"], configs: ["tls"] })],
    tasks: [
      swarmTask({ id: "runs" }),
      swarmTask({ id: "old", state: "shutdown", createdAt: ago(90), since: ago(80) }),
      swarmTask({ id: "failed just now", state: "failed", createdAt: ago(80), since: ago(9) }),
      swarmTask({ id: "failed before", state: "failed", createdAt: ago(85), since: ago(11) }),
      swarmTask({ id: "gave up", slot: 2, state: "rejected", createdAt: ago(50), since: ago(40) }),
      swarmTask({ id: "tried before", slot: 2, state: "failed", createdAt: ago(60), since: ago(50) }),
      swarmTask({ id: "starts", slot: 3, state: "preparing", createdAt: ago(1), since: ago(1) }),
      swarmTask({ id: "on a node", slot: null, nodeId: "n2", state: "complete", createdAt: ago(70), since: ago(60) }),
    ],
  });
  const small = smallTopology(topology, NOW);
  assert.deepEqual(
    small.tasks.map(({ id }) => id),
    ["runs", "failed just now", "gave up", "starts", "on a node"],
  );
  assert.partialDeepStrictEqual(small.services[0], { name: "web", labels: { "service.ignore": "true" }, constraints: [], configs: [] });
});
