import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dropOldest } from "./drop-oldest.ts";

const BOUNDS = { keepFirst: 0, most: 3, mostSize: 100, sizeOf: (item: string): number => item.length };
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Gives what is put into it. */
function source() {
  const queue: string[][] = [];
  let wake = Promise.withResolvers<void>();
  let ended: Error | "end" | undefined;
  let given = 0;
  async function* batches(): AsyncGenerator<string[]> {
    for (;;) {
      for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
        given += 1;
        yield batch;
      }
      if (ended === "end") return;
      if (ended !== undefined) throw ended;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }
  return {
    batches,
    given: () => given,
    async put(...items: string[]): Promise<void> {
      queue.push(items);
      wake.resolve();
      await settle();
    },
    end(how: Error | "end" = "end"): void {
      ended = how;
      wake.resolve();
    },
  };
}

describe("dropping the oldest", () => {
  it("hands out all of what is read as fast as it comes", async () => {
    const { batches, put, end } = source();
    const reading = dropOldest(batches(), BOUNDS);
    for (const item of ["a", "b", "c", "d", "e"]) {
      const next = reading.next();
      await put(item);
      assert.deepEqual(await next, { done: false, value: { items: [item], dropped: 0 } });
    }
    end();
    assert.equal((await reading.next()).done, true);
  });

  it("keeps the newest for a slow reader, and counts the others", async () => {
    const { batches, put, end } = source();
    const reading = dropOldest(batches(), BOUNDS);
    const first = reading.next();
    await put("a");
    await first;
    await put("b", "c");
    await put("d", "e", "f");
    assert.deepEqual((await reading.next()).value, { items: ["d", "e", "f"], dropped: 2 });
    await put("g");
    end();
    assert.deepEqual((await reading.next()).value, { items: ["g"], dropped: 0 });
    assert.equal((await reading.next()).done, true);
  });

  it("keeps no more than so much of them", async () => {
    const { batches, put } = source();
    const reading = dropOldest(batches(), { ...BOUNDS, mostSize: 5 });
    const first = reading.next();
    await put("a");
    await first;
    await put("four", "two", "xyz");
    assert.deepEqual((await reading.next()).value, { items: ["xyz"], dropped: 2 });
    await put("longer than allowed");
    await put("b");
    assert.deepEqual((await reading.next()).value, { items: ["b"], dropped: 1 });
    await reading.return();
  });

  it("has the first ones wait, however many come at once", async () => {
    const { batches, put, given } = source();
    const reading = dropOldest(batches(), { ...BOUNDS, keepFirst: 6 });
    const first = reading.next();
    await put("a", "b", "c", "d", "e");
    assert.deepEqual((await first).value, { items: ["a", "b", "c", "d", "e"], dropped: 0 });
    await put("f", "g", "h", "i");
    await put("j");
    assert.equal(given(), 2, "the next is left where it is");
    assert.deepEqual((await reading.next()).value, { items: ["f", "g", "h", "i"], dropped: 0 });
    await put("k");
    await put("l", "m");
    assert.deepEqual((await reading.next()).value, { items: ["k", "l", "m"], dropped: 1 });
    await reading.return();
  });

  it("fails as its source does, once all of it was read", async () => {
    const { batches, put, end } = source();
    const reading = dropOldest(batches(), BOUNDS);
    const first = reading.next();
    await put("a");
    end(new Error("cut off"));
    assert.deepEqual((await first).value, { items: ["a"], dropped: 0 });
    await assert.rejects(reading.next(), /cut off/);
  });
});
