import assert from "node:assert/strict";
import { test } from "node:test";
import { historyFilter, isNarrowed, queryOf } from "./history-filter.ts";

const EMPTY = {
  source: undefined,
  severity: undefined,
  status: undefined,
  entity: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
};

test("the address says what is shown; what it says wrongly is left out", () => {
  assert.deepEqual(historyFilter({ source: "endpoint", severity: "loud", status: "resolved", entity: "container:42", from: "yesterday" }), {
    ...EMPTY,
    source: "endpoint",
    status: "resolved",
    entity: "container:42",
  });
  assert.deepEqual(historyFilter({ entity: ":42", period: "2y", to: "2026-13-40" }), EMPTY);
  assert.equal(isNarrowed(EMPTY), false);
  assert.equal(isNarrowed({ entity: "container:42" }), true);
});

test("it becomes what the server is asked for", () => {
  assert.deepEqual(queryOf({ entity: "agent:6f:1", period: "7d" }, "local"), {
    source: undefined,
    severity: undefined,
    status: undefined,
    entity_type: "agent",
    entity_id: "6f:1",
    agent_id: "local",
    lastMs: 604_800_000,
  });
  const { since, until, lastMs } = queryOf({ period: "days", from: "2026-11-20", to: "2026-11-21" }, undefined);
  assert.equal(lastMs, undefined);
  assert.equal(since, new Date("2026-11-20T00:00:00").toISOString());
  // The last day is whole.
  assert.equal(until, new Date("2026-11-22T00:00:00").toISOString());
});
