import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import { draftOf, makeSecret, NEW_WEBHOOK, readDraft } from "./draft.ts";
import { chooseEvents, EVENT_OPTIONS, eventsSummary } from "./event-options.ts";
import { deliveryStatus, healthOf, queueWords } from "./health-words.ts";

const WEBHOOK: WebhookRecord = {
  id: 1,
  name: "ticket system",
  url: "https://tickets.example.com/***",
  event_types: ["alert.*"],
  active: true,
  disabled_reason: null,
  last_delivery_at: null,
  last_status: null,
  last_status_code: null,
  last_error: null,
  failure_count: 0,
  pending: 0,
  dropped: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

test("what is not touched stays: the address goes back masked, the secret not at all", () => {
  assert.deepEqual(readDraft(draftOf(WEBHOOK)), {
    body: { name: "ticket system", url: WEBHOOK.url, event_types: ["alert.*"], active: true },
  });
});

test("what is wrong is shown at its field", () => {
  const read = readDraft({ ...NEW_WEBHOOK, url: "tickets", eventTypes: [], secret: "short" });
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["name", "url", "event_types", "secret"]);
});

test("a secret that is made is taken", () => {
  const read = readDraft({ ...NEW_WEBHOOK, name: "a", url: "https://a.example", secret: makeSecret() });
  assert.ok("body" in read);
  assert.match(read.body.secret ?? "", /^[0-9a-f]{64}$/);
});

test("events can be chosen all, by kind, or one by one", () => {
  const values = EVENT_OPTIONS.map(({ value }) => value);
  for (const value of ["*", "alert.*", "alert.fired", "webhook.disabled"]) assert.ok(values.includes(value), value);
  assert.equal(new Set(values).size, values.length);
  assert.equal(eventsSummary(["*"]), "Every event");
  assert.equal(eventsSummary(["*", "resource.snapshot"]), "Every event, and resource.snapshot");
  assert.equal(eventsSummary(["a.*", "b.*", "c.*", "d.*", "e.*"]), "a.*, b.*, c.*, d.* and 1 more");
});

test("everything and something take each other's place; what comes often stands beside everything", () => {
  assert.deepEqual(chooseEvents(["*"], ["*", "alert.*"]), ["alert.*"]);
  assert.deepEqual(chooseEvents(["alert.*", "resource.snapshot"], ["alert.*", "resource.snapshot", "*"]), ["resource.snapshot", "*"]);
  assert.deepEqual(chooseEvents(["*"], ["*", "resource.snapshot"]), ["*", "resource.snapshot"]);
  assert.deepEqual(chooseEvents(["alert.*", "a.b"], ["alert.*"]), ["alert.*"]);
});

test("how a subscription is", () => {
  assert.equal(healthOf(WEBHOOK).word, "Nothing sent yet");
  assert.equal(healthOf({ ...WEBHOOK, last_status: "sent" }).status, "ok");
  assert.equal(healthOf({ ...WEBHOOK, last_status: "failed" }).status, "degraded");
  assert.equal(healthOf({ ...WEBHOOK, failure_count: 3 }).status, "degraded");
  assert.equal(healthOf({ ...WEBHOOK, active: false }).word, "Disabled");
  assert.equal(healthOf({ ...WEBHOOK, active: false, disabled_reason: "20 in a row" }).status, "degraded");
  assert.equal(queueWords(WEBHOOK), "");
  assert.equal(
    queueWords({ failure_count: 1, pending: 2, dropped: 1 }),
    "1 delivery failed in a row; disabled after 20; 2 deliveries queued; 1 delivery was dropped because too many were queued",
  );
});

test("how a delivery stands", () => {
  assert.equal(deliveryStatus({ status: "sent", attempts: 1, last_status_code: 204 }).word, "Sent, HTTP 204");
  assert.equal(deliveryStatus({ status: "pending", attempts: 0, last_status_code: null }).word, "Queued");
  assert.equal(deliveryStatus({ status: "pending", attempts: 2, last_status_code: 500 }).word, "Retrying, 2 attempts so far, HTTP 500");
  assert.equal(deliveryStatus({ status: "failed", attempts: 5, last_status_code: null }).word, "Failed after 5 attempts");
});
