import assert from "node:assert/strict";
import { test } from "node:test";
import { bestGroups, bestMatches, matchScore } from "./rank.ts";

test("the beginning is best, then a word's, then anywhere, then letters in order", () => {
  const names = ["old-checkout", "scheckout", "checkout-api", "c-h-e-c-k-o-u-t", "checkout", "postgres"];
  assert.deepEqual(
    bestMatches(names, " CheckOut ", (name) => name, 10),
    ["checkout", "checkout-api", "old-checkout", "scheckout", "c-h-e-c-k-o-u-t"],
  );
  assert.deepEqual(
    bestMatches(names, "check", (name) => name, 2),
    ["checkout", "checkout-api"],
  );
});

test("no query keeps everything in its order", () => {
  assert.deepEqual(
    bestMatches(["b", "a", "c"], "", (name) => name, 2),
    ["b", "a"],
  );
  assert.equal(matchScore("postgres", "pgx"), 0);
});

test("the kind with the best match comes first, a kind without any is left out", () => {
  const groups = [
    { heading: "Containers", items: ["mail-out", "checkout", "mail-api"], limit: 1 },
    { heading: "Endpoints", items: ["shop"], limit: 5 },
    { heading: "Heartbeats", items: ["mail", "hotmail"], limit: 5 },
  ];
  const ranked = (query: string) => bestGroups(groups, query, (name) => name).map(({ heading, items }) => [heading, ...items]);
  assert.deepEqual(ranked("hotm"), [["Heartbeats", "hotmail"]]);
  assert.deepEqual(ranked("mail"), [
    ["Containers", "mail-out"],
    ["Heartbeats", "mail", "hotmail"],
  ]);
  assert.deepEqual(
    ranked("").map(([heading]) => heading),
    ["Containers", "Endpoints", "Heartbeats"],
  );
});
