import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLimiter } from "./limiter.ts";

/** Work that ends when it is told to. */
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
