import assert from "node:assert/strict";
import { test } from "node:test";
import { StartError } from "../platform/errors.ts";
import { parseConfig } from "./config.ts";
import { OPTIONS } from "./options.ts";

for (const { flag, env } of Object.values(OPTIONS))
  test(`${flag} and its variable have one name`, () => {
    assert.match(flag, /^--[a-z]/);
    assert.equal(env.replaceAll("_", "").toLowerCase(), flag.replaceAll("-", "").toLowerCase());
    assert.match(env, /^[A-Z][A-Z0-9_]*[A-Z0-9]$/);
  });

test("a posture threshold is a percentage", () => {
  const read = (text: string): unknown =>
    parseConfig({ argv: [], env: { SERVICE_SECURITY_POSTURE_THRESHOLD: text }, readFile: () => "", isTerminal: false });
  for (const text of ["0", "100"]) assert.ok(read(text));
  for (const text of ["-1", "101", "50.5", "x"]) assert.throws(() => read(text), StartError);
});
