import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentList } from "../../../src/publishing/status/components/answers.ts";
import { patchStatus } from "./live-status.ts";

const AT = "2026-11-21T04:04:00.000Z";
const row = (id: number): ComponentList["components"][number] => ({
  id,
  group_id: null,
  name: `component ${id}`,
  description: "",
  monitor_type: "container",
  monitor_id: id,
  monitor_name: "shop",
  agent_id: null,
  sort_order: id,
  visible: true,
  status: "operational",
  observed: true,
  status_since: "2026-11-20T00:00:00.000Z",
  status_override: null,
  monitor_status: "operational",
  auto_incident: false,
  needs_attention: false,
  uptime_90d: 100,
  created_at: AT,
  updated_at: AT,
});
const LIST: ComponentList = { components: [row(1), row(2)], total: 2, page_status: "operational" };
const changed = (id: number, status: "operational" | "degraded" | "major_outage", observed = true) => ({
  id,
  name: "x",
  group_id: null,
  status,
  observed,
  previous_status: "operational" as const,
  agent_id: null,
  timestamp: AT,
});

test("a status is changed in its row, the others stay the same objects", () => {
  const next = patchStatus(LIST, changed(2, "major_outage"));
  assert.equal(next.components[0], LIST.components[0]);
  assert.deepEqual([next.components[1]?.status, next.components[1]?.status_since], ["major_outage", AT]);
});

test("missing data is a change too", () => {
  const degraded = patchStatus(LIST, changed(2, "degraded"));
  assert.partialDeepStrictEqual(patchStatus(degraded, changed(2, "degraded", false)).components[1], {
    status: "degraded",
    observed: false,
  });
});

test("what is known already, or is not in the list, changes nothing", () => {
  assert.equal(patchStatus(LIST, changed(1, "operational")), LIST);
  assert.equal(patchStatus(LIST, changed(9, "major_outage")), LIST);
});
