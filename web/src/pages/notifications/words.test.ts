import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWords } from "./answer-words.ts";
import { capabilityOf } from "../../app/capability.ts";
import { alertsWords } from "../../entities/notifications/filter-words.ts";
import { fromLocalField, toLocalField } from "../../format/local-time.ts";
import { addTags, itemsOf } from "../../ui/forms/tags.ts";

test("which alerts are meant", () => {
  const none = { severities: [], sources: [], entities: [], tags: [] };
  assert.equal(alertsWords(none), "Every alert");
  assert.equal(alertsWords({ ...none, severities: ["critical", "warning"] }), "Critical or warning alerts");
  assert.equal(
    alertsWords({ severities: ["info"], sources: ["endpoint", "container"], entities: ["shop-db"], tags: ["night"] }),
    "Info alerts from endpoints or containers about shop-db, tagged night",
  );
  assert.equal(alertsWords({ ...none, tags: ["a", "b", "c"] }), "Alerts, tagged a, b or c");
});

test("tags are cleaned, and each is there once", () => {
  assert.deepEqual(addTags(["Night"], " night ,db,, a  b "), ["Night", "db", "a b"]);
  assert.deepEqual(itemsOf("critical,warning"), ["critical", "warning"]);
  assert.deepEqual(itemsOf(""), []);
});

test("what a receiver answered", () => {
  const answer = { status: "delivered", status_code: 200, duration_ms: 214, error: null } as const;
  assert.equal(answerWords(answer), "Delivered: HTTP 200 after 214 ms");
  assert.equal(
    answerWords({ status: "failed", status_code: 404, duration_ms: 80, error: "It answered 404." }),
    "Not delivered: HTTP 404 after 80 ms. It answered 404.",
  );
  assert.equal(
    answerWords({ status: "failed", status_code: null, duration_ms: 10_000, error: "Timed out." }),
    "Not delivered: no response after 10 s. Timed out.",
  );
});

test("a time keeps its minute through a field", () => {
  const at = Date.parse("2026-03-04T05:06:00.000Z");
  assert.equal(fromLocalField(toLocalField(at)), "2026-03-04T05:06:00.000Z");
  assert.equal(fromLocalField(""), undefined);
  assert.equal(fromLocalField("soon"), undefined);
});

test("what is not known of an edition is left to the server", () => {
  assert.deepEqual(capabilityOf(undefined, "escalation"), { isGranted: true, edition: "Pro" });
});
