import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import type { Order } from "./decide.ts";
import { createQueue } from "./queue.ts";

const AT = new Date("2026-03-01T12:00:00Z");

function rejudge(key: string, id: number): Order {
  return { kind: "rejudge", key, id, at: AT };
}

function idsOf(taken: ReturnType<ReturnType<typeof createQueue>["take"]>): number[] {
  return taken.map(({ order }) => (order.kind === "rejudge" ? order.id : -1));
}

describe("the queue of orders", () => {
  it("takes each problem once at a time, in its order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 600 }), (keys) => {
        const queue = createQueue();
        for (const [id, key] of keys.entries()) queue.add({ order: rejudge(key, id), done: undefined });
        const seen = new Map<string, number[]>();
        for (let taken = queue.take(); taken.length > 0; taken = queue.take()) {
          assert.equal(new Set(taken.map(({ order }) => order.key)).size, taken.length);
          for (const { order } of taken) if (order.kind === "rejudge") seen.set(order.key, [...(seen.get(order.key) ?? []), order.id]);
        }
        for (const [key, ids] of seen)
          assert.deepEqual(
            ids,
            [...keys.entries()].filter(([, each]) => each === key).map(([id]) => id),
          );
        assert.equal([...seen.values()].flat().length, keys.length);
        assert.equal(queue.has("a"), false);
      }),
    );
  });

  it("makes orders up when their turn comes, before what was added later", () => {
    const queue = createQueue();
    queue.add({ order: rejudge("a", 1), done: undefined });
    queue.addMade(() => [rejudge("a", 2), rejudge("b", 3)]);
    queue.add({ order: rejudge("b", 4), done: undefined });
    assert.deepEqual(idsOf(queue.take()), [1]);
    assert.deepEqual(idsOf(queue.take()), [2, 3]);
    assert.deepEqual(idsOf(queue.take()), [4]);
    queue.addMade(() => []);
    assert.deepEqual(queue.take(), []);
  });

  it("has no room without end, and takes back what nothing came of", () => {
    const queue = createQueue();
    let added = 0;
    while (queue.add({ order: rejudge(String(added), added), done: undefined })) added += 1;
    assert.equal(added, 50_000);
    const taken = queue.take();
    assert.equal(taken.length, 64);
    queue.putBack(taken);
    assert.deepEqual(idsOf(queue.take()), idsOf(taken));
  });
});
