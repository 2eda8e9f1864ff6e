import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { problemsIn, statesIn } from "../../../test/support/judged-swarm.ts";
import { swarmService, swarmSighting, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import type { SwarmService, SwarmTopology } from "../../observations/swarm.ts";
import { createRegister, type Register } from "./register.ts";

let register: Register;
let ms: number;
beforeEach(() => {
  ms = 0;
  register = createRegister({ active: () => [] });
});

const at = (): Date => new Date(Date.parse("2026-03-01T12:00:00Z") + ms);
const show = (topology: Partial<SwarmTopology>): void =>
  void register.take(
    { agentId: null, swarm: swarmSighting({ topology: swarmTopology(topology) }), observedAt: at(), receivedMs: ms },
    at(),
  );
function lasts(minutes: number, topology: () => Partial<SwarmTopology>): void {
  for (const end = ms + minutes * 60_000; ms < end; ms += 10_000) show(topology());
}
const found = (): string[] => problemsIn(register);
const states = (): string[] => statesIn(register);

describe("a job", () => {
  const first = { jobIteration: 12, state: "complete", desiredState: "complete", exitCode: 0 } as const;

  it("counts its last run alone, and its first place, which has no number", () => {
    const services = [swarmService({ mode: "replicated-job", replicas: 2, jobIteration: 40 })];
    const before = [swarmTask({ ...first, id: "a0", slot: null }), swarmTask({ ...first, id: "a1", slot: 1 })];
    const now = { jobIteration: 40, desiredState: "complete" } as const;
    show({
      services,
      tasks: [...before, swarmTask({ ...now, id: "b0", slot: null }), swarmTask({ ...now, id: "b1", slot: 1, state: "failed" })],
    });
    assert.deepEqual(states(), ["web running 1/2 0"]);
    show({ services, tasks: [...before, swarmTask({ ...first, ...now, id: "b0", slot: null }), swarmTask({ ...now, id: "b1", slot: 1 })] });
    assert.deepEqual(states(), ["web running 1/2 1"]);
    // An agent that does not say which run is asked for.
    show({ services: [{ ...services[0], jobIteration: null } as SwarmService], tasks: before });
    assert.deepEqual(states(), ["web completed 0/2 2"]);
  });

  it("that fails on every node is not done", () => {
    const services = [swarmService({ mode: "global-job", replicas: null, jobIteration: 1 })];
    const onNode = (number: number, facts: Parameters<typeof swarmTask>[0]) =>
      swarmTask({ id: `t${number}${facts?.state}`, slot: null, nodeId: `n${number}`, jobIteration: 1, ...facts });
    const failed = { state: "failed", desiredState: "shutdown" } as const;
    const again = { state: "ready", desiredState: "ready" } as const;
    show({ services, tasks: [1, 2].flatMap((number) => [onNode(number, failed), onNode(number, again)]) });
    assert.deepEqual(states(), ["web down 0/2 0"]);
  });

  it("loops when its first place fails again and again on different nodes", () => {
    const services = [swarmService({ mode: "replicated-job", jobIteration: 1 })];
    const failed = (number: number) =>
      swarmTask({
        id: `t${number}`,
        slot: null,
        nodeId: `n${number}`,
        jobIteration: 1,
        state: "failed",
        desiredState: "shutdown",
        since: at(),
      });
    const next = swarmTask({ id: "t4", slot: null, nodeId: null, jobIteration: 1, state: "pending", desiredState: "complete" });
    show({ services, tasks: [failed(1), failed(2), failed(3), next] });
    assert.deepEqual(found(), ["crash_loop web warning"]);
    assert.match(register.problems()[0]?.message ?? "", /web\.0 failed 3 times/);
  });

  it("is short when nothing is left that may complete it", () => {
    const services = [swarmService({ mode: "replicated-job", replicas: 2, jobIteration: 1 })];
    const done = swarmTask({ ...first, id: "done", slot: 1, jobIteration: 1 });
    const failed = swarmTask({ id: "failed", slot: null, jobIteration: 1, state: "failed", desiredState: "shutdown" });
    const runs = swarmTask({ id: "runs", slot: null, jobIteration: 1, desiredState: "complete" });
    lasts(6, () => ({ services, tasks: [done, runs] }));
    assert.deepEqual(found(), []);
    lasts(4, () => ({ services, tasks: [done, failed] }));
    assert.deepEqual(found(), []);
    lasts(2, () => ({ services, tasks: [done, failed] }));
    assert.deepEqual(
      register.problems().map(({ message }) => message),
      ["web completed 1 of 2 tasks, and no other is to run."],
    );
    show({ services, tasks: [done, { ...runs, state: "complete" }] });
    assert.deepEqual(found(), []);
  });
});
