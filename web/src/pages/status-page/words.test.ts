import assert from "node:assert/strict";
import { test } from "node:test";
import { lastedWords, pageSentence, shownWords } from "./words.ts";

test("how the page is, in a sentence; what is hidden or lost its monitor does not count", () => {
  const shown = (status: "operational" | "degraded" | "major_outage", observed = true) =>
    ({ status, observed, visible: true, needs_attention: false }) as const;
  assert.equal(pageSentence("operational", []), "Empty");
  assert.equal(pageSentence("operational", [{ ...shown("major_outage"), visible: false }]), "Empty");
  assert.equal(pageSentence("operational", [{ ...shown("major_outage"), needs_attention: true }]), "Empty");
  assert.equal(pageSentence("operational", [shown("operational")]), "1 component, all operational");
  assert.equal(pageSentence("partial_outage", [shown("operational"), shown("major_outage")]), "Partial outage: 1 of 2 components affected");
  assert.equal(pageSentence("degraded", [shown("operational"), shown("degraded", false)]), "No data: 1 of 2 components affected");
  assert.equal(pageSentence("degraded", [shown("degraded"), shown("degraded", false)]), "Degraded: 2 of 2 components affected");
});

test("missing data has its own shape and word; in maintenance that is shown", () => {
  assert.deepEqual(shownWords({ status: "degraded", observed: false }), { status: "idle", word: "No data" });
  assert.equal(shownWords({ status: "degraded", observed: true }).word, "Degraded");
  assert.equal(shownWords({ status: "maintenance", observed: false }).word, "Maintenance");
});

test("how long an incident lasted", () => {
  const from = { created_at: "2026-11-21T04:04:00.000Z" };
  assert.equal(lastedWords({ ...from, resolved_at: null }), "");
  assert.equal(lastedWords({ ...from, resolved_at: "2026-11-21T04:04:00.100Z" }), "lasted 1 s");
  assert.equal(lastedWords({ ...from, resolved_at: "2026-11-21T04:12:00.000Z" }), "lasted 8 min");
});
