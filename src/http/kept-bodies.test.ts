import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptBodies } from "./kept-bodies.ts";

test("an answer is made once, and again after something changed", () => {
  let version = 1;
  let made = 0;
  const bodies = createKeptBodies(() => version);
  const get = (key: string): string => String(bodies.get({ key }, () => Buffer.from(`${key} ${(made += 1)}`)));
  assert.deepEqual([get("a"), get("a"), get("b")], ["a 1", "a 1", "b 2"]);
  version = 2;
  assert.deepEqual([get("a"), get("b")], ["a 3", "b 4"]);
});

test("of many questions the last ones are kept", () => {
  let made = 0;
  const bodies = createKeptBodies(() => 1);
  const make = (): Buffer => Buffer.from(String((made += 1)));
  for (let key = 0; key < 40; key += 1) bodies.get({ key }, make);
  bodies.get({ key: 39 }, make);
  assert.equal(made, 40);
  bodies.get({ key: 0 }, make);
  assert.equal(made, 41);
});
