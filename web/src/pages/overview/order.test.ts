import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateRecord } from "../../entities/certificates/record.fixture.ts";
import { endpointRecord } from "../../entities/endpoints/record.fixture.ts";
import { heartbeatRecord } from "../../entities/heartbeats/record.fixture.ts";
import { bySlowest, bySoonestEnd, bySoonestExpected } from "./order.ts";

const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id);

test("endpoints that fail, then the slowest", () => {
  const all = [
    endpointRecord({ id: 1, last_response_time_ms: 20 }),
    endpointRecord({ id: 2, status: "unknown", last_response_time_ms: null }),
    endpointRecord({ id: 3, last_response_time_ms: 90 }),
    endpointRecord({ id: 4, status: "down" }),
    endpointRecord({ id: 5, status: "down", paused: true }),
  ];
  assert.deepEqual(ids(bySlowest(all)), [4, 3, 1, 2, 5]);
});

test("heartbeats that are late or failed, then those expected next", () => {
  const all = [
    heartbeatRecord({ id: 1, next_expected_at: "2026-03-01T13:00:00.000Z" }),
    heartbeatRecord({ id: 2, status: "new", next_expected_at: null }),
    heartbeatRecord({ id: 3, status: "down", reason: "deadline", next_expected_at: null }),
    heartbeatRecord({ id: 4, next_expected_at: "2026-03-01T12:10:00.000Z" }),
  ];
  assert.deepEqual(ids(bySoonestExpected(all)), [3, 4, 1, 2]);
});

test("certificates by their end, those never seen last", () => {
  const all = [
    certificateRecord({ id: 1, expires_at: null }),
    certificateRecord({ id: 2, expires_at: "2027-01-01T00:00:00.000Z" }),
    certificateRecord({ id: 3, expires_at: "2026-11-01T00:00:00.000Z" }),
  ];
  assert.deepEqual(ids(bySoonestEnd(all)), [3, 2, 1]);
});
