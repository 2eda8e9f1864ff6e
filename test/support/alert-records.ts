import type { AlertNotification, AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { Notification } from "../../src/alerting/vocabulary.ts";

/** An alert as its record shows it. */
export function alertRecord(changes: Partial<AlertRecord> = {}): AlertRecord {
  return {
    id: 7,
    agent_id: null,
    source: "container",
    event: "restart_loop",
    severity: "critical",
    status: "active",
    message: "web restarted 9 times in 10 minutes.",
    cause: "last exit code 137 (OOM killed) at 2026-03-01 11:59:20 UTC",
    entity_type: "container",
    entity_id: "42",
    entity_name: "web",
    labels: { "com.example.team": "shop" },
    tags: ["shop"],
    details: { restarts: 9 },
    suppressed_by: null,
    fired_at: "2026-03-01T12:00:00.000Z",
    last_raised_at: "2026-03-01T12:00:00.000Z",
    acknowledged_at: null,
    acknowledged_by: null,
    acknowledged_note: null,
    resolved_at: null,
    resolved_by: null,
    resolution: null,
    url: "https://monitor.example/alerts/7",
    ...changes,
  };
}

export function notificationOf(
  event: Notification["event"],
  changes: Partial<AlertRecord> = {},
  escalation: Notification["escalation"] = null,
): AlertNotification {
  return { event, alert: alertRecord(changes), escalation, timestamp: "2026-03-01T12:00:01.000Z" };
}
