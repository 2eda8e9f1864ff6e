import assert from "node:assert/strict";
import { it } from "node:test";
import { ACTOR_KINDS } from "../../../../../src/contract/audit.ts";
import { auditSearch } from "./search.ts";
import { ACTOR_WORDS, changeWords, operationWords } from "./words.ts";

it("every actor can be filtered by", () => assert.deepEqual(ACTOR_KINDS, Object.keys(ACTOR_WORDS)));

it("operations are named by what they do", () => {
  const named: [operation: string, type: string, words: string][] = [
    ["post_api_v1_heartbeats", "heartbeat", "Create heartbeat"],
    ["put_api_v1_heartbeats_id", "heartbeat", "Change heartbeat"],
    ["delete_api_v1_silence_id", "silence", "Delete silence"],
    ["post_api_v1_heartbeats_id_pause", "heartbeat", "Pause: heartbeat"],
    ["put_api_v1_containers_id_resources_alerts", "container", "Change resources alerts of container"],
    ["acknowledge_alert", "alert", "Acknowledge alert"],
    ["post_login", "login", "Log in"],
  ];
  for (const [operation, type, words] of named) assert.equal(operationWords({ operation, entity: { type, id: null, name: null } }), words);
});

it("changes show what was before and what is after", () => {
  assert.deepEqual(changeWords({ before: { every: 60, name: "a" }, after: { every: 90, note: null } }), [
    { name: "every", text: "60 → 90" },
    { name: "name", text: "a" },
    { name: "note", text: "none" },
  ]);
  assert.deepEqual(changeWords({ before: null, after: null }), []);
});

it("changes leave out what is empty or follows from them, and cut what is long", () => {
  assert.deepEqual(changeWords({ before: null, after: { name: "a", note: "", created_at: "2026-03-01T12:00:00Z" } }), [
    { name: "name", text: "a" },
  ]);
  assert.deepEqual(changeWords({ before: { note: "", at: "x".repeat(60) }, after: { note: "new", at: "x".repeat(61) } }), [
    { name: "note", text: "empty → new" },
    { name: "at", text: `${"x".repeat(60)} → ${"x".repeat(60)}…` },
  ]);
});

it("the address says what is shown", () => {
  assert.deepEqual(auditSearch({ actor: "session", outcome: "refused" }), { actor: "session", outcome: "refused" });
  assert.deepEqual(auditSearch({ actor: "nobody", outcome: 1 }), { actor: undefined, outcome: undefined });
});
