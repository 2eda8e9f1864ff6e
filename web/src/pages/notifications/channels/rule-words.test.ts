import assert from "node:assert/strict";
import { test } from "node:test";
import { healthOf } from "./health-words.ts";
import { rulesSummary, ruleWords } from "./rule-words.ts";

const any = { source: null, severity: null, entity_type: null, entity_id: null };
const nameOf = (entity: string): string => (entity === "container:42" ? "shop-db" : entity);

test("which alerts a rule sends", () => {
  assert.equal(ruleWords(any, nameOf), "Every alert");
  assert.equal(ruleWords({ ...any, severity: "critical", source: "endpoint" }, nameOf), "Critical alerts from endpoints");
  assert.equal(ruleWords({ ...any, entity_type: "container", entity_id: "42" }, nameOf), "Alerts about shop-db");
  assert.equal(ruleWords({ ...any, entity_type: "container" }, nameOf), "Alerts about any container");
});

test("the rules of a channel in a line", () => {
  assert.equal(rulesSummary([], nameOf), "No rules");
  assert.equal(rulesSummary([any], nameOf), "Every alert");
  assert.equal(rulesSummary([any, any, any], nameOf), "Every alert, and 2 more rules");
});

test("a channel that is switched off is that first of all", () => {
  assert.equal(healthOf({ enabled: false, health: "failing" }).word, "Disabled");
  assert.deepEqual(healthOf({ enabled: true, health: "failing" }), { status: "degraded", word: "Failing" });
  assert.equal(healthOf({ enabled: true, health: "untested" }).status, "idle");
});
