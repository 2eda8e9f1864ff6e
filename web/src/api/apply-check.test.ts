import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResponseTimes } from "../../../src/monitoring/endpoints/answers.ts";
import { endpointRecord } from "../entities/endpoints/record.fixture.ts";
import { extendResponseTimes, extendSparklines, patchEndpoint, patchRows, prependCheck, type CheckEvent } from "./apply-check.ts";

function event(parts: Partial<CheckEvent> = {}): CheckEvent {
  return {
    endpoint_id: 1,
    agent_id: null,
    name: "shop",
    success: true,
    observed: true,
    response_time_ms: 20,
    http_status: 200,
    failure_class: null,
    error: null,
    status: "up",
    alerting: false,
    consecutive_failures: 0,
    consecutive_successes: 6,
    timestamp: "2026-11-21T04:00:30.000Z",
    ...parts,
  };
}
const FAILED = {
  success: false,
  response_time_ms: null,
  http_status: null,
  failure_class: "timeout",
  error: "No answer.",
  status: "down",
} as const;

describe("the result of a check", () => {
  it("turns the record, since when it turned", () => {
    const patched = patchEndpoint(endpointRecord(), event(FAILED));
    assert.equal(patched.status, "down");
    assert.equal(patched.status_since, "2026-11-21T04:00:30.000Z");
    assert.equal(patched.last_error, "No answer.");
    assert.equal(patchEndpoint(endpointRecord(), event()).status_since, "2026-11-21T04:00:00.000Z");
  });

  it("leaves the last response where the host could not look", () => {
    const patched = patchEndpoint(endpointRecord(), event({ ...FAILED, observed: false, status: "up" }));
    assert.equal(patched.last_response_time_ms, 38);
    assert.equal(patched.last_failure_class, null);
    assert.deepEqual([patched.last_check_at, patched.last_observed_at], ["2026-11-21T04:00:30.000Z", "2026-11-21T04:00:00.000Z"]);
    assert.equal(patched.last_error, "No answer.");
    assert.equal(patchEndpoint(endpointRecord(), event()).last_observed_at, "2026-11-21T04:00:30.000Z");
  });

  it("says why nothing is known yet", () => {
    const unknown = { status: "unknown", status_reason: "not_checked_yet" } as const;
    const patched = patchEndpoint(endpointRecord(unknown), event({ ...FAILED, observed: false, status: "unknown" }));
    assert.deepEqual([patched.last_error, patched.last_failure_class], ["No answer.", null]);
  });

  it("changes nothing when it is older than what is known, and leaves the other rows the same", () => {
    const record = endpointRecord();
    assert.equal(patchEndpoint(record, event({ timestamp: "2026-11-21T03:00:00.000Z" })), record);
    const other = endpointRecord({ id: 2 });
    const list = { endpoints: [record, other], total: 2, counts: { up: 2, down: 0, degraded: 0, unknown: 0 }, next_cursor: null };
    assert.equal(patchRows(list, new Map([[9, event({ endpoint_id: 9 })]])), list);
    const patched = patchRows(list, new Map([[1, event()]]));
    assert.notEqual(patched.endpoints[0], record);
    assert.equal(patched.endpoints[1], other);
  });

  it("adds a point to its line alone, of at most thirty", () => {
    const points = Array.from({ length: 30 }, (_, index) => index);
    const lines = {
      endpoints: { 1: { points, status: "up" as const, uptime_24h: 99 }, 2: { points: [1], status: "up" as const, uptime_24h: 1 } },
    };
    const extended = extendSparklines(lines, [event(), event({ ...FAILED, observed: false }), event(FAILED)]);
    assert.deepEqual(extended.endpoints["1"]?.points.slice(-3), [29, 20, null]);
    assert.equal(extended.endpoints["1"]?.points.length, 30);
    assert.equal(extended.endpoints["2"], lines.endpoints[2]);
  });

  it("comes first in the list of checks, once", () => {
    const page = prependCheck({ endpoint_id: 1, checks: [], total: 0, has_more: false }, event());
    assert.equal(page.checks.length, 1);
    assert.equal(page.total, 1);
    assert.equal(prependCheck(page, event()), page);
  });

  it("falls into its step of the response times, or begins the next", () => {
    const series = {
      timestamps: ["2026-11-21T04:00:00.000Z"],
      response_time_ms: [10],
      response_time_ms_max: [10],
      checks: [1],
      failures: [0],
    };
    const times: ResponseTimes = { endpoint_id: 1, range: "6h", step_seconds: 60, series };
    const same = extendResponseTimes(times, event()).series;
    assert.deepEqual([same.response_time_ms, same.response_time_ms_max, same.checks], [[15], [20], [2]]);
    const next = extendResponseTimes(times, event({ ...FAILED, timestamp: "2026-11-21T04:01:30.000Z" })).series;
    assert.deepEqual([next.timestamps[1], next.response_time_ms[1], next.failures[1]], ["2026-11-21T04:01:00.000Z", null, 1]);
    assert.equal(extendResponseTimes(times, event({ observed: false })), times);
  });
});
