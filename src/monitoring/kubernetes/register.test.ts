import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { objects, sighting, workload } from "../../../test/support/kubernetes-topology.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { inventoryOf } from "./inventory.ts";
import { createRegister } from "./register.ts";

const AGENT = "0b9c54a0-0000-4000-8000-00000000000a";
const OTHER = "0b9c54a0-0000-4000-8000-00000000000b";
const NOW = new Date("2026-03-01T12:00:00Z");

function rollouts(state: "stalled" | "complete", count = 60): KubernetesSighting {
  const many = Array.from({ length: count }, (_, index) =>
    workload({ id: `w-${index}`, name: `web-${index}`, rollout: { state, reason: null, message: null } }),
  );
  return sighting({ objects: objects({ workloads: many, pods: [] }) });
}

/** A register that was shown a cluster in which every rollout stalls, and has not judged it. */
async function setUp(...agentIds: string[]) {
  const register = createRegister({ active: () => [] });
  for (const agentId of agentIds) {
    const kubernetes = rollouts("stalled");
    const seen = { agentId, kubernetes, observedAt: NOW, receivedMs: 0, inventory: await inventoryOf(kubernetes) };
    register.take(seen, NOW);
  }
  return register;
}

describe("a cluster that is judged in parts", () => {
  it("has every problem in the end, once, in several parts", async () => {
    const register = await setUp(AGENT);
    const parts = [...register.judge(NOW, 0)].filter((events) => events.length > 0);
    assert.ok(parts.length > 1);
    assert.equal(new Set(parts.flat().map(({ data }) => JSON.stringify(data))).size, 60);
    assert.deepEqual([register.problems().length, register.announce(NOW).length, register.isUnjudged("c-1")], [60, 60, false]);
    assert.deepEqual([...register.judge(NOW, 0)].flat(), []);
  });

  it("publishes nothing more once its only host is forgotten", async () => {
    const register = await setUp(AGENT);
    const round = register.judge(NOW, 0);
    assert.equal(firstPart(round) > 0, true);
    register.forgetHost(AGENT, 0);
    assert.deepEqual([...round].flat(), []);
    assert.deepEqual([register.clusters(), register.problems()], [[], []]);
  });

  it("is judged again for the host that is left, when the one that showed it is forgotten", async () => {
    const register = await setUp(AGENT, OTHER);
    const round = register.judge(NOW, 0);
    assert.equal(firstPart(round) > 0, true);
    register.forgetHost(AGENT, 0);
    assert.deepEqual([...round].flat(), []);
    const events = [...register.judge(NOW, 0)].flat();
    assert.deepEqual(new Set(events.map(({ data }) => ("agent_id" in data ? data.agent_id : undefined))), new Set([OTHER]));
    assert.equal(register.problems().length, 60);
  });

  it("takes what changes between two parts as it is then", async () => {
    const register = await setUp(AGENT);
    const round = register.judge(NOW, 0);
    firstPart(round);
    register.take({ agentId: AGENT, kubernetes: { ...rollouts("complete", 30), isComplete: false }, observedAt: NOW, receivedMs: 0 }, NOW);
    const later = [...round];
    assert.ok(later.length > 0);
    assert.equal(register.problems().length, 30);
  });
});

/** Steps to the first part in which something was found; answers how much. */
function firstPart(round: Generator<unknown[]>): number {
  for (let part = round.next(); part.done !== true; part = round.next()) if (part.value.length > 0) return part.value.length;
  return 0;
}
