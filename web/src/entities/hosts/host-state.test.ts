import assert from "node:assert/strict";
import { test } from "node:test";
import { type Contact, hostState, ofHost, shareOf } from "./host-state.ts";

const AGENT = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";
const AT = "2026-11-21T04:00:00.000Z";
const CONNECTED = { connected: true, since: AT };

test("a host is as it is reached", () => {
  const local = { agent_id: null, available: true, timestamp: AT };
  const remote = { ...local, agent_id: AGENT };
  const by = (runtime: Contact["runtime"]): Contact => ({ runtime, agent: undefined });
  assert.deepEqual(hostState(local, by(CONNECTED)), { status: "ok", word: "Connected", since: null });
  assert.deepEqual(hostState(local, by(undefined)), { status: "ok", word: "Connected", since: null });
  assert.deepEqual(hostState(local, by({ connected: false, since: AT })), { status: "down", word: "Not reachable", since: AT });
  assert.deepEqual(hostState({ ...local, available: false }, by(CONNECTED)), { status: "degraded", word: "No metrics", since: AT });
  assert.deepEqual(hostState({ ...remote, available: false }, by(undefined)), { status: "down", word: "Unavailable", since: AT });
  assert.equal(hostState({ ...local, available: false, timestamp: null }, by(CONNECTED)).status, "idle");
  assert.equal(hostState(remote, by({ connected: false, since: AT })).status, "ok");
});

test("a host with an agent is as its agent is reached, whatever its figures say", () => {
  const remote = { agent_id: AGENT, available: true, timestamp: AT };
  const SEEN = "2026-11-21T05:00:00.000Z";
  const agent = { status: "active", connection_state: "connected", last_seen_at: SEEN } as const;
  const by = (changes: Partial<NonNullable<Contact["agent"]>>): Contact => ({ runtime: undefined, agent: { ...agent, ...changes } });
  assert.deepEqual(hostState(remote, by({})), { status: "ok", word: "Connected", since: null });
  assert.deepEqual(hostState(remote, by({ connection_state: "disconnected" })), { status: "down", word: "Not connected", since: SEEN });
  assert.deepEqual(hostState(remote, by({ status: "revoked", connection_state: "disconnected" })), {
    status: "idle",
    word: "Revoked",
    since: null,
  });
  assert.deepEqual(hostState({ ...remote, available: false }, by({})), { status: "degraded", word: "No metrics", since: AT });
  assert.deepEqual(hostState({ ...remote, available: false, timestamp: null }, by({})).status, "ok");
});

test("records are narrowed to the chosen host", () => {
  const records = [{ agent_id: null }, { agent_id: AGENT }];
  assert.equal(ofHost(records, undefined), records);
  assert.deepEqual(ofHost(records, "local"), [records[0]]);
  assert.deepEqual(ofHost(records, AGENT), [records[1]]);
});

test("a share of something unknown is unknown", () => {
  assert.equal(shareOf(1, 4), 25);
  assert.equal(shareOf(5, 4), 100);
  assert.equal(shareOf(null, 4), null);
  assert.equal(shareOf(1, null), null);
  assert.equal(shareOf(0, 0), null);
});
