import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fc } from "../../test/support/seed.ts";
import { createLimiter, createSerial, once } from "./queues.ts";

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

describe("a limiter", () => {
  it("keeps to its slots, and lets the rest in by the order in which they came", async () => {
    const limit = createLimiter(2);
    const pieces = [held(), held(), held(), held()];
    const begun: number[] = [];
    const ended = pieces.map(({ work }, index) =>
      limit(() => {
        begun.push(index);
        return work();
      }),
    );
    await Promise.resolve();
    assert.deepEqual(begun, [0, 1]);
    pieces[1]?.end();
    await ended[1];
    await Promise.resolve();
    assert.deepEqual(begun, [0, 1, 2]);
    for (const { end } of pieces) end();
    await Promise.all(ended);
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it("frees the slot of work that fails", async () => {
    const limit = createLimiter(1);
    await assert.rejects(
      limit(() => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.equal(await limit(async () => "done"), "done");
  });

  it("gives up what waits when its signal is aborted, and nothing that has begun", async () => {
    const limit = createLimiter(1);
    const first = held();
    const begun = limit(first.work, new AbortController().signal);
    const abort = new AbortController();
    const waits = limit(async () => "never", abort.signal);
    const next = limit(async () => "next");
    abort.abort(new Error("no longer wanted"));
    await assert.rejects(waits, /no longer wanted/);
    first.end();
    await begun;
    assert.equal(await next, "next");
    await assert.rejects(
      limit(async () => "never", abort.signal),
      /no longer wanted/,
    );
  });

  it("keeps the slot of work whose signal is aborted while its turn comes", async () => {
    const limit = createLimiter(1);
    const first = held();
    const begun = limit(first.work);
    const abort = new AbortController();
    const second = limit(async () => "second", abort.signal);
    first.end();
    await begun;
    abort.abort(new Error("too late"));
    assert.equal(await second, "second");
    assert.equal(await limit(async () => "third"), "third");
  });

  it("refuses who comes when too many wait", async () => {
    const limit = createLimiter(1, { most: 1, refusal: () => new Error("too many") });
    const first = held();
    const begun = limit(first.work);
    const second = limit(async () => "second");
    await assert.rejects(
      limit(async () => "third"),
      /too many/,
    );
    first.end();
    await begun;
    assert.equal(await second, "second");
  });
});

test("runs one key's work in order, one at a time, and hands each its own result", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ key: fc.constantFrom("a", "b", "c"), turns: fc.nat(3), fails: fc.boolean() })), async (works) => {
      const serial = createSerial();
      const order: Record<string, number[]> = {};
      const running = new Set<string>();
      const outcomes = await Promise.allSettled(
        works.map(({ key, turns, fails }, index) =>
          serial(key, async () => {
            assert.ok(!running.has(key), "two at a time");
            running.add(key);
            for (let turn = 0; turn < turns; turn += 1) await setImmediate();
            running.delete(key);
            (order[key] ??= []).push(index);
            if (fails) throw new Error(`${index} failed`);
            return index;
          }),
        ),
      );
      for (const [key, ended] of Object.entries(order)) {
        assert.deepEqual(
          ended,
          works.flatMap((work, index) => (work.key === key ? [index] : [])),
        );
      }
      outcomes.forEach((outcome, index) => {
        if (outcome.status === "fulfilled") assert.equal(outcome.value, index);
        else assert.equal(outcome.reason.message, `${index} failed`);
        assert.equal(outcome.status === "rejected", works[index]?.fails);
      });
    }),
    { numRuns: 50 },
  );
});

test("who comes while the second of two works waits for it", async () => {
  const serial = createSerial();
  const order: string[] = [];
  const first = serial("a", async () => void order.push("first"));
  const second = serial("a", async () => {
    await setImmediate();
    await setImmediate();
    order.push("second");
  });
  await first;
  await setImmediate();
  await serial("a", async () => void order.push("third"));
  await second;
  assert.deepEqual(order, ["first", "second", "third"]);
});

test("keys do not wait for each other", async () => {
  const serial = createSerial();
  void serial("stuck", () => new Promise(() => undefined));
  assert.equal(await serial("free", async () => "done"), "done");
});

test("work that throws before it begins to wait fails alone", async () => {
  const serial = createSerial();
  const throws = (): Promise<void> => {
    throw new Error("at once");
  };
  await assert.rejects(serial("a", throws), /at once/);
  const first = serial("a", async () => "first");
  const second = serial("a", throws);
  const third = serial("a", async () => "third");
  await assert.rejects(second, /at once/);
  assert.deepEqual([await first, await third], ["first", "third"]);
});

test("forgets a key whose work is done: the next begins at once instead of waiting its turn", async () => {
  const serial = createSerial();
  await serial("a", async () => undefined);
  await assert.rejects(serial("a", async () => Promise.reject(new Error("no"))));
  let began = false;
  const work = serial("a", async () => void (began = true));
  assert.ok(began);
  await work;
});

it("is done once for all who ask, and again after it failed", async () => {
  let count = 0;
  const ask = once(async () => {
    count += 1;
    if (count === 1) throw new Error("not yet");
    return count;
  });
  await Promise.all([ask(), ask()].map((asked) => assert.rejects(asked, /not yet/)));
  assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2]);
  assert.equal(await ask(), 2);
});
