import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { applyFilter, STATUS_WORDS } from "./filter.ts";
import { endpointRecord } from "./record.fixture.ts";
import { endpointFilter, FILTER_STATUSES, type FilterStatus } from "./search.ts";

describe("the filter of the endpoints", () => {
  const rows = [
    endpointRecord({ id: 1, name: "b up" }),
    endpointRecord({ id: 2, name: "paused", paused: true, status: "unknown" }),
    endpointRecord({ id: 3, name: "down", status: "down", target: "db:5432", type: "tcp" }),
    endpointRecord({ id: 4, name: "slow", status: "degraded", source: "label", agent_id: "a1", container_name: "web" }),
    endpointRecord({ id: 5, name: "a up" }),
  ];
  const ids = (filter: Parameters<typeof applyFilter>[1]) => applyFilter(rows, filter).map(({ id }) => id);

  it("puts those that need somebody first, the others by name", () => {
    assert.deepEqual(ids({}), [3, 4, 5, 1, 2]);
  });

  it("keeps paused ones apart from unknown ones", () => {
    assert.deepEqual(ids({ status: ["paused"] }), [2]);
    assert.deepEqual(ids({ status: ["unknown"] }), []);
  });

  it("calls up nothing that is only the last known to be up", () => {
    const seen = "2026-03-01T12:00:00.000Z";
    const far = [
      endpointRecord({ id: 6, agent_id: "a1" }),
      endpointRecord({ id: 7, agent_id: "a1", status: "down" }),
      endpointRecord({ id: 8, last_observed_at: seen, last_check_at: "2026-03-01T12:06:00.000Z" }),
      endpointRecord({ id: 9, last_observed_at: seen, last_check_at: seen }),
    ];
    const found = (status: FilterStatus) => applyFilter(far, { status: [status] }, ({ agent_id }) => agent_id === "a1").map(({ id }) => id);
    assert.deepEqual([found("up"), found("unknown"), found("down")], [[9], [6, 8], [7]]);
  });

  it("finds by name, target and container, and by source, type and host", () => {
    assert.deepEqual(ids({ q: "5432" }), [3]);
    assert.deepEqual(ids({ q: "WEB" }), [4]);
    assert.deepEqual(ids({ source: "label" }), [4]);
    assert.deepEqual(ids({ type: "tcp" }), [3]);
    assert.deepEqual(ids({ host: "a1" }), [4]);
    assert.deepEqual(ids({ host: "local" }), [3, 5, 1, 2]);
  });

  it("knows every status that has a word", () => assert.deepEqual(FILTER_STATUSES, Object.keys(STATUS_WORDS)));

  it("leaves what the address says wrongly", () => {
    assert.deepEqual(Object.values(endpointFilter({ status: "broken", source: "x", view: "all", q: "" })).filter(Boolean), []);
    assert.deepEqual(endpointFilter({ status: "up,down" }).status, ["down", "up"]);
  });
});
