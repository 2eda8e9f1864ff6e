import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createDueHeap, type Due } from "./due-heap.ts";

describe("the heap of due times", () => {
  it("always has the earliest at hand, whatever was added and taken out", () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 50 }) }),
      fc.record({ removeAt: fc.nat(100) }),
      fc.constant({ pop: true as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = createDueHeap<Due>();
        const model: Due[] = [];
        for (const each of steps) {
          if ("add" in each) {
            const entry = { dueMs: each.add, place: -1 };
            model.push(entry);
            heap.add(entry);
          } else {
            const entry = "pop" in each ? heap.first() : model[each.removeAt % Math.max(model.length, 1)];
            if (entry !== undefined) {
              heap.remove(entry);
              assert.equal(entry.place, -1);
              model.splice(model.indexOf(entry), 1);
            }
          }
          assert.equal(heap.size, model.length);
          assert.equal(heap.first()?.dueMs, model.length === 0 ? undefined : Math.min(...model.map(({ dueMs }) => dueMs)));
        }
      }),
    );
  });

  it("ignores what is not in it", () => {
    const heap = createDueHeap<Due>();
    const entry = { dueMs: 1, place: -1 };
    heap.add(entry);
    heap.remove({ dueMs: 1, place: 0 });
    assert.equal(heap.first(), entry);
    heap.remove(entry);
    heap.remove(entry);
    assert.equal(heap.size, 0);
  });
});
