import assert from "node:assert/strict";
import { test } from "node:test";
import { oneOf, parseSearch, someOf, stringifySearch, textParam } from "./search-params.ts";

test("a query is written short and read back", () => {
  assert.equal(stringifySearch({ state: ["exited", "dead"], group: undefined, q: "" }), "?state=exited,dead");
  assert.equal(stringifySearch({}), "");
  assert.deepEqual(parseSearch("?state=exited,dead&q=a%20b%26c"), { state: "exited,dead", q: "a b&c" });
  assert.deepEqual(parseSearch(stringifySearch({ q: "50% & more, über" })), { q: "50% & more, über" });
});

test("what a route does not know is dropped", () => {
  assert.deepEqual(someOf("exited,nonsense,dead", ["dead", "exited"]), ["dead", "exited"]);
  assert.equal(someOf("nonsense", ["dead"]), undefined);
  assert.deepEqual(someOf(["dead"], ["dead", "exited"]), ["dead"]);
  assert.equal(oneOf("logs", ["overview", "logs"]), "logs");
  assert.equal(oneOf(7, ["overview"]), undefined);
  assert.equal(textParam(""), undefined);
  assert.equal(textParam("x".repeat(300))?.length, 255);
});
