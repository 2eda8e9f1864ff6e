import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentRecord } from "../../../../../src/publishing/status/components/answers.ts";
import { chooseMonitor, draftOf, NEW_COMPONENT, readDraft } from "./component-draft.ts";

const nameOf = (monitor: string) => `name of ${monitor}`;

const SAVED: ComponentRecord = {
  id: 3,
  group_id: 10,
  name: "Checkout",
  description: "Pays",
  monitor_type: "endpoint",
  monitor_id: 42,
  monitor_name: "checkout-api",
  agent_id: null,
  sort_order: 0,
  visible: false,
  status: "operational",
  observed: true,
  status_since: "2026-11-21T00:00:00.000Z",
  status_override: "degraded",
  monitor_status: "operational",
  auto_incident: true,
  needs_attention: false,
  uptime_90d: null,
  created_at: "2026-11-21T00:00:00.000Z",
  updated_at: "2026-11-21T00:00:00.000Z",
};

test("what is saved is read back as it was", () => {
  const read = readDraft(draftOf(SAVED));
  assert.ok("body" in read);
  assert.deepEqual(read.body, {
    name: "Checkout",
    monitor_type: "endpoint",
    monitor_id: 42,
    description: "Pays",
    group_id: 10,
    visible: false,
    status_override: "degraded",
    auto_incident: true,
  });
});

test("a component takes the name of its monitor unless it has its own", () => {
  const first = chooseMonitor(NEW_COMPONENT, ["container:1"], nameOf);
  assert.equal(first.name, "name of container:1");
  assert.equal(chooseMonitor(first, ["endpoint:2"], nameOf).name, "name of endpoint:2");
  assert.equal(chooseMonitor(first, [], nameOf).name, "");
  assert.equal(chooseMonitor({ ...first, name: "Shop" }, ["endpoint:2"], nameOf).name, "Shop");
  assert.equal(chooseMonitor({ ...NEW_COMPONENT, name: "Shop" }, ["endpoint:2"], nameOf).name, "Shop");
  const group = chooseMonitor(first, ["group:The shop: live"], nameOf);
  assert.equal(group.name, "The shop: live", "a group goes by its name");
  assert.equal(chooseMonitor(group, ["agent:local"], nameOf).name, "name of agent:local");
});

test("a group and a host go by their texts, colons and numbers too", () => {
  for (const [monitor, type, id] of [
    ["group:The shop: live", "group", "The shop: live"],
    ["group:42", "group", "42"],
    ["agent:local", "agent", "local"],
  ] as const) {
    const read = readDraft({ ...NEW_COMPONENT, monitor: [monitor], name: "Shop" });
    assert.ok("body" in read);
    assert.deepEqual([read.body.monitor_type, read.body.monitor_id], [type, id]);
    assert.deepEqual(draftOf({ ...SAVED, monitor_type: type, monitor_id: id }).monitor, [monitor]);
  }
});

test("it needs a monitor and a name", () => {
  const read = readDraft(NEW_COMPONENT);
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["monitor_id", "name"]);
  const plain = readDraft({ ...NEW_COMPONENT, monitor: ["heartbeat:7"], name: " Backup " });
  assert.ok("body" in plain);
  assert.deepEqual([plain.body.name, plain.body.group_id, plain.body.status_override], ["Backup", null, null]);
});
