import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heldMemory } from "../../../../test/support/held-memory.ts";
import { shared } from "./values.ts";

describe("values that many objects have alike", () => {
  it("are one value, which nobody can change", () => {
    const labels = shared({ app: "shop", tier: "web" });
    assert.equal(shared({ app: "shop", tier: "web" }), labels);
    assert.throws(() => Object.assign(labels, { app: "other" }), TypeError);
    assert.equal(shared(null), null);
  });

  it("stay what they are where they differ, however many there are", () => {
    for (let index = 0; index < 20_000; index += 1) {
      assert.equal(shared(`registry.test/image:${index}`), `registry.test/image:${index}`);
      assert.deepEqual(shared({ cpuCores: index, memoryBytes: null }), { cpuCores: index, memoryBytes: null });
    }
    assert.notDeepEqual(shared({ value: "1" }), shared({ value: 1 }));
  });

  it("keep nothing of a longer text that they were cut from", () => {
    const before = heldMemory().heapUsed;
    const kept = Array.from({ length: 1_000 }, (_, index) => shared(`${"x".repeat(10_000)}${String(index).padStart(20, "0")}`.slice(-20)));
    const grownBy = heldMemory().heapUsed - before;
    assert.ok(grownBy < 2_000_000, `a thousand short texts take ${grownBy} bytes`);
    assert.equal(new Set(kept).size, 1_000);
  });

  it("of great length are not kept", () => {
    const before = heldMemory().heapUsed;
    for (let index = 0; index < 3_000; index += 1) shared({ annotation: `${index} ${"x".repeat(5_000)}` });
    const grownBy = heldMemory().heapUsed - before;
    assert.ok(grownBy < 2_000_000, `long values take ${grownBy} bytes`);
  });
});
