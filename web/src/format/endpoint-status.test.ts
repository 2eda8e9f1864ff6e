import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointRecord } from "../entities/endpoints/record.fixture.ts";
import { endpointStatus, isEndpointUnseen, isUnobserved, observedError, shownEndpointStatus } from "./endpoint-status.ts";

const SEEN = "2026-11-21T04:00:00.000Z";
const NO_NETWORK = "This host has no network.";

/** One that was checked so many minutes after it was observed last. */
function away(minutes: number, parts: Parameters<typeof endpointRecord>[0] = {}) {
  const last_check_at = new Date(Date.parse(SEEN) + minutes * 60_000).toISOString();
  return endpointRecord({ last_observed_at: SEEN, last_check_at, last_error: NO_NETWORK, ...parts });
}

test("what its host cannot look at is last known after five minutes, or when two intervals are over", () => {
  assert.deepEqual(
    [0, 4.5, 5, 600].map((minutes) => isUnobserved(away(minutes))),
    [false, false, true, true],
  );
  const { config } = endpointRecord();
  const hourly = { config: { ...config, interval_seconds: 3600 } };
  assert.deepEqual(
    [60, 120, 180].map((minutes) => isUnobserved(away(minutes, hourly))),
    [false, false, true],
  );
});

test("what nobody wants to be checked is not missed", () => {
  const unknown = { status: "unknown", status_reason: "not_checked_yet" } as const;
  assert.equal(isEndpointUnseen(endpointRecord(unknown)), true);
  assert.equal(isEndpointUnseen(endpointRecord()), false);
  for (const status_reason of ["paused", "container_stopped", "service_stopped", "label_removed"] as const)
    assert.equal(isEndpointUnseen(endpointRecord({ ...unknown, status_reason })), false, status_reason);
  for (const parts of [{ paused: true }, { active: false }]) assert.equal(isEndpointUnseen(away(60, parts)), false);
});

test("it is shown as it was, and why that is no longer seen", () => {
  const shown = (record: ReturnType<typeof away>, isHostUnseen = false) => {
    const { status, word, cause } = shownEndpointStatus(record, isHostUnseen);
    return [status, word, cause];
  };
  assert.deepEqual(shown(away(60)), ["idle", "Last known: Up", NO_NETWORK]);
  assert.deepEqual(shown(away(60), true), ["idle", "Last known: Up", NO_NETWORK]);
  assert.deepEqual(shown(away(60, { status: "down", last_failure_class: "http" })), ["down", "Last known: Down", NO_NETWORK]);
  assert.deepEqual(shown(endpointRecord(), true), ["idle", "Last known: Up", undefined]);
  assert.deepEqual(shownEndpointStatus(away(1), false), endpointStatus(away(1)));
});

test("what keeps its host from looking is no error of the endpoint", () => {
  assert.equal(observedError(away(1)), null);
  assert.equal(observedError(endpointRecord({ last_error: "No answer." })), "No answer.");
});
