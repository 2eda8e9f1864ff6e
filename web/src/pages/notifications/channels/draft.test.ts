import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelType } from "../../../../../src/alerting/channels/api.ts";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { type ChannelDraft, draftOf, newDraft, readChange, readNew, withAddressParts } from "./draft.ts";
import { KIND_GUIDES, KINDS, type KindValues } from "../../../entities/notifications/kind-guides.ts";

function draft(type: ChannelType, values: KindValues, change: Partial<ChannelDraft> = {}): ChannelDraft {
  const blank = newDraft(type);
  return { ...blank, name: "Nights", ...change, values: { ...blank.values, ...values } };
}

function record(change: Partial<ChannelRecord>): ChannelRecord {
  return {
    id: 1,
    name: "Nights",
    type: "webhook",
    url: "https://hooks.example.com/***",
    headers: '{"Authorization":"***"}',
    enabled: true,
    health: "untested",
    last_delivery_at: null,
    last_error: null,
    rules: [],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    ...change,
  };
}

function urlOf(read: ReturnType<typeof readNew>): string {
  assert.ok("body" in read, JSON.stringify(read));
  return read.body.url;
}

const key = "0123456789abcdef0123456789abcdef";
const token = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const made: [ChannelType, KindValues, string][] = [
  ["slack", { url: " https://hooks.slack.com/services/T/B/x " }, "https://hooks.slack.com/services/T/B/x"],
  ["email", { recipients: "ada@example.com; ops@example.com" }, "mailto:ada@example.com,ops@example.com"],
  ["ntfy", { topic: "harbour" }, "https://ntfy.sh/harbour"],
  ["gotify", { server: "https://push.example.com/", token: "A1234567890" }, "https://push.example.com/message?token=A1234567890"],
  ["telegram", { token, chat: "@harbour" }, `https://api.telegram.org/bot${token}/sendMessage?chat_id=%40harbour`],
  ["telegram", { token, chat: "-100", thread: "7" }, `https://api.telegram.org/bot${token}/sendMessage?chat_id=-100&message_thread_id=7`],
  ["web_push", { subscription: "https://push.example/w/1?p256dh=k&auth=s" }, "https://push.example/w/1?p256dh=k&auth=s"],
  ["pagerduty", { key }, `https://events.pagerduty.com/v2/enqueue?routing_key=${key}`],
  ["pagerduty", { key, region: "events.eu.pagerduty.com" }, `https://events.eu.pagerduty.com/v2/enqueue?routing_key=${key}`],
];
for (const [type, values, url] of made) {
  test(`a ${type} channel leads to ${url}`, () => assert.equal(urlOf(readNew(draft(type, values))), url));
}

test("every kind asks for what it needs, and says what is missing at each field", () => {
  for (const type of KINDS) {
    const read = readNew({ ...newDraft(type), values: {} });
    assert.ok("faults" in read);
    const needed = KIND_GUIDES[type].fields.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name);
    assert.deepEqual(Object.keys(read.faults), ["name", ...needed]);
  }
});

test("a name has no commas, an address a scheme, a header a name", () => {
  const read = readNew(draft("webhook", { url: "hooks.example.com" }, { name: "a,b", headers: [{ key: 0, name: " ", value: "x" }] }));
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["name", "url", "headers"]);
});

test("the token of a protected topic becomes a header, in the place of one typed before", () => {
  const read = readNew(draft("ntfy", { topic: "t", token: "tk_1" }, { headers: [{ key: 0, name: "authorization", value: "old" }] }));
  assert.ok("body" in read);
  assert.equal(read.body.headers, '{"Authorization":"Bearer tk_1"}');
});

test("what is not touched is not sent, or goes back masked", () => {
  const read = readChange({ ...draftOf(record({})), name: "Days" });
  assert.deepEqual(read, { body: { name: "Days", enabled: true, headers: '{"Authorization":"***"}' } });
  assert.deepEqual(readChange(draftOf(record({ type: "slack", headers: "{}" }))), { body: { name: "Nights", enabled: true } });
});

test("recipients are no secret: they are edited as they are", () => {
  const mail = draftOf(record({ type: "email", url: "mailto:a@example.com,b@example.com", headers: "{}" }));
  assert.equal(mail.values["recipients"], "a@example.com, b@example.com");
  assert.deepEqual(readChange(mail), { body: { name: "Nights", enabled: true, url: "mailto:a@example.com,b@example.com" } });
});

test("another address goes with all headers, masked as they are; without one they go when they were changed", () => {
  const body = { name: "Nights", enabled: true, url: "https://elsewhere.example.com/", headers: '{"Authorization":"***"}' };
  assert.deepEqual(withAddressParts(body, { url: body.url }), { url: body.url, headers: body.headers });
  assert.deepEqual(withAddressParts(body, { name: "Days" }), { name: "Days" });
  const slack = { name: "Nights", enabled: true, url: "https://hooks.slack.com/services/T/B/x" };
  assert.deepEqual(withAddressParts(slack, { url: slack.url }), { url: slack.url });
});
