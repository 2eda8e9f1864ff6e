import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChance } from "../../../../test/support/chance.ts";
import { createPartQueue } from "./part-queue.ts";

describe("the queue of parts", () => {
  const chance = createChance(7);
  const parts = Array.from({ length: 500 }, () => {
    const firstMs = chance.below(100);
    return { firstMs, lastMs: firstMs + chance.below(20), number: chance.below(4), weight: 1 };
  });

  for (const order of ["newest", "oldest"] as const)
    it(`gives the ${order} first, though more are added while it is emptied`, () => {
      const keyOf = ({ firstMs, lastMs, number }: (typeof parts)[number]): number =>
        order === "newest" ? -(10 * lastMs + number) : 10 * firstMs + number;
      const queue = createPartQueue<number>(order);
      const waiting: number[] = [];
      const takeSome = (): void => {
        const expected = waiting.toSorted((one, other) => one - other).slice(0, 3);
        assert.deepEqual(queue.take(3), expected);
        waiting.splice(0, waiting.length, ...waiting.toSorted((one, other) => one - other).slice(3));
      };
      for (const [index, part] of parts.entries()) {
        queue.add(part, keyOf(part));
        waiting.push(keyOf(part));
        if (index % 5 === 0) takeSome();
      }
      while (waiting.length > 0) takeSome();
      assert.deepEqual([queue.first(), queue.take(2)], [undefined, []]);
    });

  it("takes what is heavy before its weight is reached, and no more", () => {
    const queue = createPartQueue<number>("newest");
    for (let weight = 1; weight <= 4; weight += 1) queue.add({ firstMs: 0, lastMs: -weight, number: 1, weight }, weight);
    assert.deepEqual(queue.take(1), [1]);
    assert.deepEqual(queue.take(4), [2, 3]);
    assert.deepEqual(queue.take(100), [4]);
  });

  it("says what is next", () => {
    const queue = createPartQueue<string>("oldest");
    for (const firstMs of [3, 1, 2]) queue.add({ firstMs, lastMs: 9, number: 1, weight: 1 }, "one");
    assert.equal(queue.first()?.firstMs, 1);
  });
});
