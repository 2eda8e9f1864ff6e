import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hosts, Top } from "../../../src/monitoring/resources/answers.ts";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import {
  collectReadings,
  lacksYesterday,
  patchCurrent,
  patchEvery,
  patchHosts,
  patchTop,
  patchUsage,
  type SnapshotEvent,
} from "./apply-snapshot.ts";
import { snapshotData, snapshotEvent, TICK } from "./snapshot.fixture.ts";

const AGENT = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";
const EARLIER = "2026-11-21T04:00:00.000Z";
const USED = { cpu_percent: 38.2, memory_bytes: 40_000_000, memory_percent: 12.1 };

const used = (parts: object = {}) => ({ ...USED, timestamp: EARLIER, ...parts });
const patchOf = (...events: SnapshotEvent[]) => patchUsage(collectReadings(events));

test("a container shows what its host reported last of it", () => {
  const early = snapshotEvent([{ container_id: 1, ...USED, cpu_percent: 5 }], { timestamp: EARLIER });
  const late = snapshotEvent([{ container_id: 1, ...USED }]);
  assert.deepEqual(patchOf(early, late)(containerRecord()).resources, { ...USED, timestamp: TICK });
});

test("a reading that looks like the last one changes nothing", () => {
  const known = containerRecord({ resources: used() });
  assert.equal(patchOf(snapshotEvent([{ container_id: 1, ...USED, cpu_percent: 38.4 }]))(known), known);
  assert.notEqual(patchOf(snapshotEvent([{ container_id: 1, ...USED, cpu_percent: 41 }]))(known), known);
});

test("a container that its host no longer reports loses its figures, others keep them", () => {
  const patch = patchOf(snapshotEvent([{ container_id: 2, ...USED }]));
  assert.equal(patch(containerRecord({ resources: used() })).resources, null);
  const unread = containerRecord();
  assert.equal(patch(unread), unread);
  const elsewhere = containerRecord({ agent_id: AGENT, resources: used() });
  assert.equal(patch(elsewhere), elsewhere);
});

test("what is newer than an event is kept", () => {
  const patch = patchOf(snapshotEvent([], { timestamp: EARLIER }));
  const known = containerRecord({ resources: used({ timestamp: TICK }) });
  assert.equal(patch(known), known);
});

test("a reading that comes after the news of the end gives nobody figures again", () => {
  const patch = patchOf(snapshotEvent([{ container_id: 1, ...USED }]));
  assert.equal(patch(containerRecord({ state: "exited" })).resources, null);
  assert.notEqual(patch(containerRecord({ state: "paused" })).resources, null);
});

test("in the list only changed rows and their groups become other objects", () => {
  const groups = [
    { name: "a", source: "compose" as const, containers: [containerRecord({ id: 1 }), containerRecord({ id: 2 })] },
    { name: "b", source: "compose" as const, containers: [containerRecord({ id: 3 })] },
  ];
  const list = { groups, total: 3, archived_count: 0, next_cursor: null };
  const patched = patchEvery(list, patchOf(snapshotEvent([{ container_id: 2, ...USED }])));
  assert.equal(patched.groups[1], groups[1]);
  assert.equal(patched.groups[0]?.containers[0], groups[0]?.containers[0]);
  assert.equal(patched.groups[0]?.containers[1]?.resources?.cpu_percent, 38.2);
  assert.equal(patchEvery(list, patchOf(snapshotEvent([]))), list);
});

test("the current figures of a container follow, and end when its host no longer reports it", () => {
  const current = snapshotData({ container_id: 1, ...USED, timestamp: EARLIER });
  const readings = collectReadings([snapshotEvent([{ container_id: 1, ...USED, cpu_percent: 50 }])]);
  assert.equal(patchCurrent(current, readings, { id: 1, agentId: null }).cpu_percent, 50);

  const silence = collectReadings([snapshotEvent([])]);
  assert.deepEqual(patchCurrent(current, silence, { id: 1, agentId: null }), { ...snapshotData({ container_id: 1 }), timestamp: null });
  assert.equal(patchCurrent(current, silence, { id: 1, agentId: AGENT }), current);
  assert.equal(patchCurrent(current, silence, { id: 1, agentId: undefined }), current);
});

const HOST: Hosts["hosts"][number] = {
  ...{ agent_id: null, label: "Local", hostname: "nas", os: null, runtime: "docker", cpu_percent: 10, cpu_count: 2 },
  ...{ memory_bytes: null, memory_total_bytes: null, disk_bytes: null, disk_total_bytes: null, load: null, uptime_seconds: null },
  ...{ running_containers: 1, available: true, timestamp: EARLIER },
};

test("hosts show their latest samples; a new one comes last; one without a sample stays as it is", () => {
  const other = { ...HOST, agent_id: AGENT, cpu_percent: 70 };
  const known = { hosts: [HOST] };
  const readings = collectReadings([
    snapshotEvent([], { host: { ...HOST, cpu_percent: 60 } }),
    snapshotEvent([], { agent_id: AGENT, host: other }),
  ]);
  assert.deepEqual(
    patchHosts(known, readings).hosts.map(({ agent_id, cpu_percent }) => [agent_id, cpu_percent]),
    [
      [null, 60],
      [AGENT, 70],
    ],
  );
  assert.equal(patchHosts(known, collectReadings([snapshotEvent([])])).hosts[0], HOST);
});

const NAMES: Record<number, string> = { 1: "web", 2: "db", 3: "cache", 4: "far" };
const ASKED = { agentId: undefined, limit: 2, nameOf: (id: number) => NAMES[id] };
const YESTERDAY = { from: "2026-11-20T04:00:00.000Z", to: "2026-11-20T05:00:00.000Z" };
const grown = (value: number, change: number, change_percent: number) => ({ state: "measured" as const, value, change, change_percent });
const NEW = { state: "new" as const, value: null, change: null, change_percent: null };
const TOP: Top = {
  sort: "cpu",
  by: "use",
  yesterday: YESTERDAY,
  consumers: [
    { container_id: 4, name: "far", agent_id: AGENT, value: 1, percent: 50, rank: 1, since_yesterday: NEW },
    { container_id: 1, name: "web", agent_id: null, value: 0.9, percent: 45, rank: 2, since_yesterday: grown(0.6, 0.3, 50) },
  ],
};

test("who uses the most is ranked again, among the others of that host and those of the rest", () => {
  const readings = collectReadings([
    snapshotEvent([
      { container_id: 1, cpu_cores_used: 0.2, cpu_percent: 10 },
      { container_id: 2, cpu_cores_used: 1.5, cpu_percent: 75 },
      { container_id: 3, cpu_cores_used: null },
      { container_id: 99, cpu_cores_used: 7 },
    ]),
  ]);
  assert.deepEqual(patchTop(TOP, readings, ASKED).consumers, [
    { container_id: 2, name: "db", agent_id: null, value: 1.5, percent: 75, rank: 1, since_yesterday: null },
    { container_id: 4, name: "far", agent_id: AGENT, value: 1, percent: 50, rank: 2, since_yesterday: NEW },
  ]);
});

test("the change since yesterday follows what is used now; who rises into the list has none until it is read again", () => {
  const readings = collectReadings([snapshotEvent([{ container_id: 1, cpu_cores_used: 1.2, cpu_percent: 60 }])]);
  const patched = patchTop(TOP, readings, ASKED);
  assert.deepEqual(patched.consumers[0]?.since_yesterday, grown(0.6, 0.6, 100));
  assert.equal(lacksYesterday(patched, readings), false);
  const risen = collectReadings([snapshotEvent([{ container_id: 2, cpu_cores_used: 1.5, cpu_percent: 75 }])]);
  assert.equal(lacksYesterday(patchTop(TOP, risen, ASKED), risen), true);
  assert.equal(lacksYesterday(patchTop({ ...TOP, yesterday: null }, risen, ASKED), risen), false);
});

test("another hour of yesterday counts an hour later", () => {
  const at = (timestamp: string): boolean => lacksYesterday(TOP, collectReadings([snapshotEvent([], { timestamp })]));
  assert.equal(at("2026-11-21T04:59:50.000Z"), false);
  assert.equal(at("2026-11-21T05:00:00.000Z"), true);
});

test("a list by growth keeps its order, with the figures of now", () => {
  const readings = collectReadings([
    snapshotEvent([
      { container_id: 1, cpu_cores_used: 3, cpu_percent: 75 },
      { container_id: 2, cpu_cores_used: 5, cpu_percent: 90 },
    ]),
  ]);
  const { consumers } = patchTop({ ...TOP, by: "growth" }, readings, ASKED);
  assert.deepEqual(consumers, [TOP.consumers[0], { ...TOP.consumers[1], value: 3, percent: 75, since_yesterday: grown(0.6, 2.4, 400) }]);
});

test("where one host was asked for, others do not mix in", () => {
  const readings = collectReadings([snapshotEvent([{ container_id: 4, memory_bytes: 7 }], { agent_id: AGENT })]);
  const local: Top = { sort: "memory", by: "use", yesterday: null, consumers: [] };
  assert.deepEqual(patchTop(local, readings, { ...ASKED, agentId: "local" }).consumers, []);
  assert.equal(patchTop(local, readings, { ...ASKED, agentId: AGENT }).consumers[0]?.value, 7);
});
