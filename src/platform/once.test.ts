import assert from "node:assert/strict";
import { it } from "node:test";
import { once } from "./once.ts";

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
