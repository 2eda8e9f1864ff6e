import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { objects, pod, sighting } from "../../../test/support/kubernetes-topology.ts";
import type { KubernetesPod } from "../../observations/kubernetes-workloads.ts";
import { createInventory } from "./inventory.ts";

describe("what a host showed of its cluster", () => {
  it("is not different when its pods only use something else, and has the newest usage", () => {
    const inventory = createInventory();
    const [before, usage] = [pod(), { cpuCores: 0.5, memoryBytes: 1_000, throttledShare: null }];
    const apply = (each: KubernetesPod) =>
      inventory.apply(sighting({ isComplete: false, objects: objects({ workloads: [], pods: [each] }) }));
    apply(before);
    const delta = apply({ ...before, usage });
    assert.equal(delta.pods.size, 0);
    assert.deepEqual(inventory.podsOf("w-web"), [{ ...before, usage }]);
    const unready = { ...before, usage, ready: false };
    assert.deepEqual([...apply(unready).pods.values()], [{ before: { ...before, usage }, after: unready }]);
    const moved = { ...unready, workloadId: "w-api" };
    apply(moved);
    assert.deepEqual([inventory.podsOf("w-web"), inventory.podsOf("w-api")], [[], [moved]]);
  });
});
