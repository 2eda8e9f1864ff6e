import assert from "node:assert/strict";
import { test } from "node:test";
import { lastedWords, pageSentence } from "./words.ts";

test("how the page is, in a sentence; hidden components do not count", () => {
  const shown = (status: "operational" | "major_outage") => ({ status, visible: true });
  assert.equal(pageSentence("operational", []), "Nothing on it yet");
  assert.equal(pageSentence("operational", [{ status: "major_outage", visible: false }]), "Nothing on it yet");
  assert.equal(pageSentence("operational", [shown("operational")]), "1 component, all operational");
  assert.equal(pageSentence("partial_outage", [shown("operational"), shown("major_outage")]), "Partial outage: 1 of 2 components affected");
});

test("how long an incident lasted", () => {
  const from = { created_at: "2026-11-21T04:04:00.000Z" };
  assert.equal(lastedWords({ ...from, resolved_at: null }), "");
  assert.equal(lastedWords({ ...from, resolved_at: "2026-11-21T04:04:00.100Z" }), "lasted 1 s");
  assert.equal(lastedWords({ ...from, resolved_at: "2026-11-21T04:12:00.000Z" }), "lasted 8 min");
});
