import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { alertImpact, IMPACT_STATUS, IMPACTS, isUrgent } from "./impact.ts";

test("alerts are ranked by what people lose, not by their severity alone", () => {
  const cases: [ShownAlert["source"], string, ShownAlert["severity"], string][] = [
    ["container", "down", "critical", "outage"],
    ["container", "down", "info", "notice"],
    ["container", "restart_loop", "warning", "degraded"],
    ["endpoint", "consecutive_failure", "critical", "outage"],
    ["heartbeat", "deadline_missed", "critical", "outage"],
    ["certificate", "expired", "critical", "outage"],
    ["certificate", "expiring", "critical", "degraded"],
    ["resource", "memory_threshold", "critical", "degraded"],
    ["agent", "disconnected", "warning", "degraded"],
    ["webhook", "disabled", "warning", "notice"],
    ["update", "regression", "warning", "degraded"],
    ["update", "available", "info", "posture"],
    ["security", "dangerous_configuration", "critical", "posture"],
    ["security", "posture_threshold", "warning", "posture"],
  ];
  for (const [source, event, severity, impact] of cases)
    assert.equal(alertImpact({ source, event, severity }), impact, `${source}/${event}`);
});

test("only an outage is a cross, and only outages and what is degraded are counted", () => {
  assert.deepEqual(
    IMPACTS.filter((impact) => IMPACT_STATUS[impact] === "down"),
    ["outage"],
  );
  assert.deepEqual(IMPACTS.filter(isUrgent), ["outage", "degraded"]);
});
