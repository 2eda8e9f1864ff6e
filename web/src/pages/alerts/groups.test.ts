import assert from "node:assert/strict";
import { test } from "node:test";
import { groupByImpact, activeSummary } from "./groups.ts";
import { alertRecord } from "../../entities/alerts/record.fixture.ts";

const at = "2026-11-21T04:05:00.000Z";
const alerts = [
  alertRecord({ id: 1, severity: "warning", suppressed_by: "silence", fired_at: "2026-11-21T04:09:00.000Z" }),
  alertRecord({ id: 2, severity: "warning", acknowledged_at: at, acknowledged_by: "Ada", fired_at: "2026-11-21T04:08:00.000Z" }),
  alertRecord({ id: 3, severity: "warning" }),
  alertRecord({ id: 4, severity: "critical" }),
  alertRecord({ id: 5, severity: "warning", fired_at: at }),
];

test("by impact; in each what waits for somebody, what is in hand, what is held back", () => {
  assert.deepEqual(
    groupByImpact(alerts).map((group) => [group.impact, ...group.alerts.map(({ id }) => id)]),
    [
      ["outage", 4],
      ["degraded", 5, 3, 2, 1],
    ],
  );
});

test("an alert that is silenced after somebody was notified stands among those held back", () => {
  const silenced = alertRecord({ id: 6, severity: "warning", silenced_until: "2026-11-21T06:00:00.000Z" });
  assert.deepEqual(
    groupByImpact([...alerts, silenced])[1]?.alerts.map(({ id }) => id),
    [5, 3, 2, 1, 6],
  );
  assert.equal(activeSummary([silenced]), "1 active: 1 suppressed");
});

test("how many there are, and what becomes of them", () => {
  assert.equal(activeSummary(alerts), "5 active: 3 unacknowledged, 1 acknowledged, 1 suppressed");
  assert.equal(activeSummary(alerts.slice(0, 2)), "2 active: 1 acknowledged, 1 suppressed");
  assert.equal(activeSummary(alerts.slice(3)), "2 active");
  assert.equal(activeSummary([]), "");
  const finding = alertRecord({ id: 7, source: "security", event: "dangerous_configuration", severity: "critical" });
  assert.equal(activeSummary([...alerts.slice(3), finding]), "2 active · 1 finding or update");
  assert.equal(activeSummary([finding, finding]), "2 findings and updates");
});
