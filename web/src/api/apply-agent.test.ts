import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData } from "../../../src/events.ts";
import { agentRecord } from "../entities/hosts/record.fixture.ts";
import { patchContact, patchInList, patchSpool, withoutAgent } from "./apply-agent.ts";

const OTHER = "0a1b2c3d-0000-4000-8000-000000000002";
const nas = agentRecord();
const list = { agents: [nas, agentRecord({ id: OTHER, label: "web" })], total: 2 };
const AT = "2026-03-01T12:05:00.000Z";
const reported = {
  id: nas.id,
  agent_id: nas.id,
  name: "storage",
  hostname: "nas.lan",
  status: "active",
  connection_state: "connected",
  timestamp: AT,
} satisfies Partial<EventData["agent.updated"]>;

test("an event changes its agent only", () => {
  const next = patchInList(list, reported);
  assert.equal(next.agents[0]?.label, "storage");
  assert.equal(next.agents[1], list.agents[1]);
  assert.equal(patchInList(list, { ...reported, id: "nobody" }), list);
});

test("one that is lost was last seen when the event says", () => {
  const lost = { ...reported, connection_state: "disconnected", previous_connection_state: "connected", lost: true, since: AT } as const;
  const [agent] = patchContact(list, lost).agents;
  assert.equal(agent?.connection_state, "disconnected");
  assert.equal(agent?.last_seen_at, AT);
});

test("what waits is as the agent says", () => {
  const spool = { queued: 7, draining: true, dropped: 1 };
  assert.deepEqual(patchSpool(list, { ...reported, spool }).agents[0]?.spool, spool);
});

test("one that is deleted is gone", () => {
  assert.deepEqual(withoutAgent(list, nas.id), { agents: [list.agents[1]], total: 1 });
  assert.equal(withoutAgent(list, "nobody").total, 2);
});
