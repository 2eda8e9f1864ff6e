import assert from "node:assert/strict";
import { it } from "node:test";
import { listSort, type SortSearch } from "./sort.ts";

type Key = "name" | "risk";

function turned(search: SortSearch<Key>, act: "turn" | "choose" | "reverse", key: Key = "risk"): SortSearch<Key> | undefined {
  let next: SortSearch<Key> | undefined;
  const sort = listSort(search, { name: "asc", risk: "desc" }, (chosen) => (next = chosen));
  if (act === "reverse") sort.reverse();
  else sort[act](key);
  return next;
}

it("sorts a list by what is looked for first, then the other way round, then as usual", () => {
  assert.deepEqual(turned({}, "turn"), { sort: "risk", order: undefined });
  assert.deepEqual(turned({ sort: "name", order: "desc" }, "turn"), { sort: "risk", order: undefined });
  assert.deepEqual(turned({ sort: "risk" }, "turn"), { sort: "risk", order: "asc" });
  assert.deepEqual(turned({ sort: "risk", order: "desc" }, "turn"), { sort: "risk", order: "asc" });
  assert.deepEqual(turned({ sort: "risk", order: "asc" }, "turn"), { sort: undefined, order: undefined });
});

it("is reversed and back, and not where it is as usual", () => {
  assert.deepEqual(turned({ sort: "name" }, "reverse"), { sort: "name", order: "desc" });
  assert.deepEqual(turned({ sort: "name", order: "desc" }, "reverse"), { sort: "name", order: undefined });
  assert.equal(turned({}, "reverse"), undefined);
  assert.deepEqual(turned({ sort: "name", order: "desc" }, "choose", "name"), { sort: "name", order: undefined });
});
