import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodies } from "./bodies.ts";

test("an answer is made once, and anew after something changed", () => {
  let version = 1;
  let made = 0;
  const bodies = createBodies(() => version);
  const get = (key: string): string => String(bodies.get(key, () => `${key} ${(made += 1)}`));
  assert.deepEqual([get("a"), get("a"), get("b")], ["a 1", "a 1", "b 2"]);
  version = 2;
  assert.deepEqual([get("a"), get("b")], ["a 3", "b 4"]);
});

test("of many questions the last ones are kept", () => {
  let made = 0;
  const bodies = createBodies(() => 1);
  const make = (): string => String((made += 1));
  for (let key = 0; key < 40; key += 1) bodies.get(String(key), make);
  bodies.get("39", make);
  assert.equal(made, 40);
  bodies.get("0", make);
  assert.equal(made, 41);
});
