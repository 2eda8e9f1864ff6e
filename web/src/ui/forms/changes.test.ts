import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf } from "./changes.ts";

test("only what was changed is sent, and nothing when nothing was", () => {
  const first = { title: "Slow", severity: "major", components: [1, 2] };
  assert.deepEqual(changesOf(first, { ...first, title: "Slower" }), { title: "Slower" });
  assert.deepEqual(changesOf(first, { ...first, components: [1] }), { components: [1] });
  assert.deepEqual(changesOf(first, { ...first, components: [1, 2] }), {});
  assert.deepEqual(changesOf<{ name: string; secret?: string }>({ name: "a" }, { name: "a", secret: "s" }), { secret: "s" });
});
