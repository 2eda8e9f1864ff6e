import assert from "node:assert/strict";
import { test } from "node:test";
import { resourcesSearch } from "./search.ts";

test("the address ranks by growth or, with anything else, by use", () => {
  assert.deepEqual(resourcesSearch({ by: "growth" }), { by: "growth" });
  for (const by of ["use", "", 7, undefined]) assert.deepEqual(resourcesSearch({ by }), { by: undefined });
});
