import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createTurns } from "./turns.ts";

/** Work that ends when the test says so. */
function createWork(): { begun: string[]; work(name: string): () => Promise<string>; end(name: string): void } {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name) => () =>
      new Promise((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name) => ends.get(name)?.(),
  };
}

test("calls of one caller take turns in their order, and hold up nobody else", async () => {
  const turns = createTurns({ running: 2, waiting: 2, waitingInAll: 3 });
  const { begun, work, end } = createWork();
  const calls = ["a", "b", "c", "d"].map((name) => turns.take("one", work(name)));
  await assert.rejects(turns.take("one", work("e")), { code: "rate_limited" }, "too many of one wait");
  const others = ["v", "w", "x"].map((name) => turns.take("other", work(name)));
  await assert.rejects(turns.take("other", work("y")), { code: "rate_limited" }, "too many wait in all");
  await setImmediate();
  assert.deepEqual(begun, ["a", "b", "v", "w"]);
  end("b");
  await setImmediate();
  assert.deepEqual(begun, ["a", "b", "v", "w", "c"]);
  for (const name of ["a", "c", "v", "w"]) end(name);
  await setImmediate();
  for (const name of ["d", "x"]) end(name);
  assert.deepEqual(await Promise.all([...calls, ...others]), ["a", "b", "c", "d", "v", "w", "x"]);
});

test("a call that fails leaves its turn to the next", async () => {
  const turns = createTurns({ running: 1, waiting: 1, waitingInAll: 1 });
  const failing = turns.take("one", () => Promise.reject(new Error("no")));
  const next = turns.take("one", () => "yes");
  await assert.rejects(failing, /no/);
  assert.equal(await next, "yes");
  assert.equal(await turns.take("one", () => "again"), "again");
});
