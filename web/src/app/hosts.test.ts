import assert from "node:assert/strict";
import { test } from "node:test";
import { agentRecord } from "../entities/hosts/record.fixture.ts";
import { lostHosts, namedHosts } from "./hosts.ts";

const NOTHING = {
  hostname: null,
  os: null,
  runtime: null,
  cpu_percent: null,
  cpu_count: null,
  memory_bytes: null,
  memory_total_bytes: null,
  disk_bytes: null,
  disk_total_bytes: null,
  load: null,
  uptime_seconds: null,
  running_containers: 0,
  available: false,
  timestamp: null,
};

test("the local host comes first, the others by name", () => {
  const hosts = [
    { ...NOTHING, agent_id: "b", label: "web-10" },
    { ...NOTHING, agent_id: null, label: "server" },
    { ...NOTHING, agent_id: "a", label: "web-9" },
  ];
  assert.deepEqual(namedHosts({ hosts }), [
    { id: "local", name: "Local" },
    { id: "a", name: "web-9" },
    { id: "b", name: "web-10" },
  ]);
  assert.deepEqual(namedHosts({ hosts: [{ ...NOTHING, agent_id: "a", label: "nas" }] }), [{ id: "a", name: "nas" }]);
});

test("who is not connected is lost since it was last seen", () => {
  const lost = agentRecord({ id: "b", connection_state: "disconnected" });
  assert.deepEqual(lostHosts({ agents: [agentRecord(), lost], total: 2 }), { b: lost.last_seen_at });
});
