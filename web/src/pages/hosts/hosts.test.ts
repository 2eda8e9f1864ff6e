import assert from "node:assert/strict";
import { test } from "node:test";
import { labelFault, readEnrollDraft } from "./draft.ts";
import { agentRecord } from "../../entities/hosts/record.fixture.ts";
import { enrollSearch } from "./search.ts";
import { clockWords, droppedWords, formatEventRate, progressOf, queueWords, snippetWarnings, tokenState, type Progress } from "./words.ts";

const AT = "2026-03-01T12:00:00.000Z";
const NOW = Date.parse(AT);
const open = { status: "open", expires_at: "2026-03-01T13:00:00.000Z" } as const;

test("a clock that is off is mentioned from four seconds on, with its direction", () => {
  const cases: [offset: number | null, words: string | undefined][] = [
    [null, undefined],
    [0, undefined],
    [3000, undefined],
    [-3000, undefined],
    [4000, "clock 4 s ahead"],
    [-75_000, "clock 1 min 15 s behind"],
  ];
  for (const [offset, words] of cases) assert.equal(clockWords(offset), words, String(offset));
});

test("what waits on an agent, and what is lost", () => {
  const idle = { queued: 0, draining: false, dropped: 0 };
  assert.equal(queueWords(idle), undefined);
  assert.equal(queueWords({ ...idle, queued: 1 }), "1 event queued");
  assert.equal(queueWords({ ...idle, draining: true }), "catching up");
  assert.equal(queueWords({ queued: 12_034, draining: true, dropped: 5 }), "catching up, 12,034 events queued");
  assert.equal(droppedWords(idle), undefined);
  assert.equal(droppedWords({ ...idle, dropped: 1 }), "1 event was dropped");
  assert.equal(droppedWords({ ...idle, dropped: 2000 }), "2,000 events were dropped");
});

test("rates have as many digits as matter", () => {
  assert.deepEqual([0, 0.04, 0.44, 9.94, 12.4, 1203.6].map(formatEventRate), ["0", "0", "0.4", "9.9", "12", "1,204"]);
});

test("an open token runs out by the clock alone", () => {
  assert.equal(tokenState(open, NOW).word, "Open");
  assert.equal(tokenState(open, Date.parse(open.expires_at)).word, "Expired");
  assert.equal(tokenState({ ...open, status: "expired" }, NOW).word, "Expired");
  assert.equal(tokenState({ ...open, status: "consumed" }, Date.parse(open.expires_at)).word, "Used");
});

test("the enrollment turns green only once a stream of the agent was open", () => {
  const used = { ...open, status: "consumed" } as const;
  const cases: [what: string, progress: Progress, ...Parameters<typeof progressOf>][] = [
    ["nobody came", "waiting", open, undefined, NOW],
    ["nobody came in time", "expired", open, undefined, Date.parse(open.expires_at)],
    ["deleted", "gone", undefined, undefined, NOW],
    ["used, the agent is not read yet", "enrolled", used, undefined, NOW],
    ["has just enrolled", "enrolled", used, agentRecord({ clock_offset_ms: null }), NOW],
    ["is connected", "connected", used, agentRecord(), NOW],
    ["is connected, long after the token ran out", "connected", used, agentRecord(), NOW + 1e9],
    ["was lost since", "enrolled", used, agentRecord({ connection_state: "disconnected" }), NOW],
    ["was revoked since", "enrolled", used, agentRecord({ status: "revoked", connection_state: "disconnected" }), NOW],
  ];
  for (const [what, progress, ...given] of cases) assert.equal(progressOf(...given), progress, what);
});

test("a snippet says what the server warns of", () => {
  assert.deepEqual(snippetWarnings({}), []);
  const warned = snippetWarnings({ warnings: ["public_url_appears_local"] });
  assert.deepEqual([warned.length, /SERVICE_GRPC_URL/.test(warned[0]?.todo ?? "")], [1, true]);
});

test("the form shows what is wrong with it, by field", () => {
  assert.deepEqual(readEnrollDraft({ label: "", hours: "24" }), { body: { ttl_hours: 24 } });
  assert.deepEqual(readEnrollDraft({ label: "  nas ", hours: " 168 " }), { body: { ttl_hours: 168, label: "nas" } });
  for (const hours of ["0", "169", "", "1.5", "-1", "1e2", "soon"]) {
    const read = readEnrollDraft({ label: "nas", hours });
    assert.deepEqual("faults" in read && Object.keys(read.faults), ["ttl_hours"], hours);
  }
  assert.equal(labelFault("ä".repeat(64)), undefined);
  assert.equal(labelFault("😀".repeat(64)), undefined);
  assert.notEqual(labelFault("ä".repeat(65)), undefined);
  assert.notEqual(labelFault("   "), undefined);
});

test("only a token's id is taken from the address", () => {
  assert.deepEqual(enrollSearch({ token: "0123456789abcdef", way: "kubernetes" }), { token: "0123456789abcdef", way: "kubernetes" });
  assert.deepEqual(enrollSearch({ token: "../agents", way: "telnet" }), { token: undefined, way: undefined });
});
