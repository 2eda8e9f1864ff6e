import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { httpCheck } from "../../../test/support/endpoints.ts";
import { toCheck } from "./checks/head.ts";
import { notChecked, type SavedEndpoint } from "./endpoint.ts";
import { createProjection, type Projection } from "./projection.ts";
import { countCheck, newTally, type Tally } from "./tally.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

function endpoint(id: number, facts: Partial<SavedEndpoint> = {}): SavedEndpoint {
  return {
    id,
    agentId: null,
    container: null,
    labelKey: null,
    name: `shop-${id}`,
    callerKey: null,
    check: httpCheck({ target: `http://shop-${id}.example.com/` }),
    alerts: { severity: "critical", channels: [], tags: [] },
    paused: false,
    inactiveSince: null,
    createdAt: NOON,
    updatedAt: NOON,
    state: notChecked(NOON),
    ...facts,
  };
}

function checkedAt(at: Date): Tally {
  const tally = newTally();
  const result = { success: true, observed: true, responseTimeMs: 20, httpStatus: 200, failureClass: null, error: null, certificate: null };
  countCheck(tally, toCheck(result, at), 60_000);
  countCheck(tally, toCheck(result, new Date(at.getTime() + 30_000)), 60_000);
  return tally;
}

function uptimes(projection: Projection, afterHours: number): (number | null)[] {
  const { endpoints } = projection.list({ inactive: false }, new Date(NOON.getTime() + afterHours * HOUR_MS));
  return endpoints.map(({ uptime_24h }) => uptime_24h);
}

test("figures go down with time, also of one whose checks do not come", () => {
  const projection = createProjection();
  projection.put(endpoint(1), checkedAt(NOON));
  projection.put(endpoint(2, { paused: true }), checkedAt(NOON));
  assert.deepEqual(uptimes(projection, 1), [100, 100]);
  assert.deepEqual(uptimes(projection, 30), [null, null]);
});
