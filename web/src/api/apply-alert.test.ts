import assert from "node:assert/strict";
import { test } from "node:test";
import type { AlertData } from "../../../src/events.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { applyEvents, putActive } from "./apply-alert.ts";

const none = { alerts: [], counts: { critical: 0, warning: 0, info: 0 }, next_cursor: null };

function eventOf(parts: Parameters<typeof alertRecord>[0]): AlertData {
  const { details: _details, ...record } = alertRecord(parts);
  return { ...record, name: record.entity_name, timestamp: record.last_raised_at };
}

test("the worst come first, then the latest; what is over is gone", () => {
  const active = putActive(
    none,
    alertRecord({ id: 1, severity: "warning", fired_at: "2026-11-21T04:00:00.000Z" }),
    alertRecord({ id: 2, severity: "critical" }),
    alertRecord({ id: 3, severity: "warning", fired_at: "2026-11-21T04:05:00.000Z" }),
  );
  assert.deepEqual(
    active.alerts.map(({ id }) => id),
    [2, 3, 1],
  );
  assert.deepEqual(active.counts, { critical: 1, warning: 2, info: 0 });
  const after = putActive(active, alertRecord({ id: 2, status: "resolved" }));
  assert.deepEqual(after.counts, { critical: 0, warning: 2, info: 0 });
  assert.equal(after.alerts[0], active.alerts[1]);
});

test("an event changes its alert, keeps the details, and the last of several counts", () => {
  const active = putActive(none, alertRecord({ id: 1, details: { restarts: 4 } }), alertRecord({ id: 2 }));
  const after = applyEvents(active, [
    eventOf({ id: 1, severity: "critical" }),
    eventOf({ id: 3 }),
    eventOf({ id: 1, severity: "critical", acknowledged_by: "Ada" }),
    eventOf({ id: 3, status: "resolved" }),
  ]);
  assert.deepEqual(
    after.alerts.map(({ id, severity, acknowledged_by, details }) => [id, severity, acknowledged_by, details]),
    [
      [1, "critical", "Ada", { restarts: 4 }],
      [2, "warning", null, {}],
    ],
  );
});
