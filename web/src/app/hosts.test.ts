import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuntimeStatusRecord } from "../../../src/app/meta/answers.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { agentRecord } from "../entities/hosts/record.fixture.ts";
import { localRuntimeLoss, lostHosts, lostRuntimesOf, namedHosts, silentHosts } from "./hosts.ts";

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

test("where agents are not listed, a host is lost since its figures stopped", () => {
  const at = "2026-03-01T12:00:00.000Z";
  const hosts = [
    { ...NOTHING, agent_id: null, label: "server" },
    { ...NOTHING, agent_id: "a", label: "nas", available: true, timestamp: at },
    { ...NOTHING, agent_id: "b", label: "web", timestamp: at },
    { ...NOTHING, agent_id: "c", label: "new" },
  ];
  assert.deepEqual(silentHosts({ hosts }), { b: at });
});

test("the engine of another host does not answer as long as its alert is active", () => {
  const lost = { source: "agent", event: "runtime_lost", details: { back_at: null } } as const;
  const alert = alertRecord({ ...lost, agent_id: "a" });
  const local = alertRecord({ ...lost, agent_id: null });
  const back = alertRecord({ ...lost, agent_id: "c", details: { back_at: "2026-03-01T12:01:00.000Z" } });
  const other = alertRecord({ source: "agent", event: "disconnected", agent_id: "b" });
  assert.deepEqual(lostRuntimesOf({ alerts: [alert, local, other, back] }), { a: alert.fired_at });
});

test("the engine of this host does not answer since its status says so, where one is watched", () => {
  const status: Omit<RuntimeStatusRecord, "watched" | "connected"> = {
    runtime: "docker",
    version: null,
    api_version: null,
    error: null,
    address: "unix:///var/run/docker.sock",
    missing: [],
    capabilities: { events: false, stats: false, logs: false, swarm: false, metrics: false },
    since: "2026-03-01T12:00:00.000Z",
  };
  assert.equal(localRuntimeLoss({ ...status, watched: true, connected: false }), status.since);
  assert.equal(localRuntimeLoss({ ...status, watched: true, connected: true }), undefined);
  assert.equal(localRuntimeLoss({ ...status, watched: false, connected: false }), undefined);
});
