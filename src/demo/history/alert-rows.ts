import { DAY_MS, SECOND_MS } from "../../contract/time.ts";
import type { PastAlert } from "./alerts.ts";
import { ESCALATION, OFFICE, ONCALL, TEAM } from "./notifications.ts";
import type { Moments } from "./past.ts";
import type { Row, Rows } from "./store.ts";

/** Deliveries are kept for so long. */
const DELIVERIES_KEPT_MS = 89 * DAY_MS;
const ESCALATED_AFTER_MS = 900 * SECOND_MS;
const PEOPLE = ["Mara", "Jon", "Aylin"] as const;
const NOTES = ["Looking at it", "Known, restarted it", "Rolled back"] as const;

/** Alerts with why they were sent, and what was sent. */
export function alertRows(alerts: readonly PastAlert[], { nowMs }: Moments): Rows[] {
  const numbered = alerts.map((alert, index) => ({ ...alert, id: index + 1 }));
  const recent = numbered.filter(({ firedMs }) => firedMs > nowMs - DELIVERIES_KEPT_MS);
  return [
    { table: "alerts", rows: numbered.map((each) => alertRow(each, nowMs)) },
    { table: "alert_verdicts", rows: recent.map(verdictRow) },
    ...deliveryRows(recent, nowMs),
  ];
}

type Numbered = PastAlert & { id: number };

/** People take on what lasts. */
function acknowledgedMs({ id, firedMs, resolvedMs }: Numbered): number | null {
  if (resolvedMs === null || resolvedMs - firedMs < 600 * SECOND_MS || id % 3 === 0) return null;
  return firedMs + 240 * SECOND_MS;
}

function alertRow(alert: Numbered, nowMs: number): Row {
  const acknowledged = acknowledgedMs(alert);
  const person = alert.id % PEOPLE.length;
  return {
    id: alert.id,
    agent_id: alert.agentId,
    source: alert.source,
    event: alert.event,
    entity_type: alert.entity.type,
    entity_id: String(alert.entity.id),
    severity: alert.severity,
    status: alert.resolvedMs === null ? "active" : "resolved",
    fired_at: alert.firedMs,
    resolved_at: alert.resolvedMs,
    last_raised_at: alert.resolvedMs === null ? nowMs - 5 * SECOND_MS : alert.firedMs,
    resolved_by: alert.resolvedMs === null ? null : "auto",
    resolution: alert.resolution === null ? null : JSON.stringify({ by: "observation", reason: alert.resolution }),
    acknowledged_at: acknowledged,
    acknowledged_by: acknowledged === null ? null : (PEOPLE[person] ?? null),
    acknowledged_note: acknowledged === null ? null : (NOTES[person] ?? null),
    held_by: null,
    passed_at: alert.firedMs,
    routed_at: alert.firedMs,
    notified: 1,
    evaluations: 1,
    persists: 0,
    entity_name: alert.entityName,
    message: alert.message,
    cause: alert.cause,
    parents: JSON.stringify(alert.parents),
    labels: JSON.stringify(alert.labels),
    channels: "[]",
    tags: JSON.stringify(alert.tags),
    details: JSON.stringify(alert.details),
  };
}

interface Target {
  channelId: number;
  name: string;
  because: string;
}

/** As the rules of the channels say. */
function targetsOf({ severity, source, tags }: PastAlert): Target[] {
  const targets: Target[] = [];
  if (severity === "critical") targets.push({ channelId: ONCALL, name: "On-call", because: "rule 1 of this channel" });
  if (source === "container" || source === "endpoint")
    targets.push({
      channelId: TEAM,
      name: "Shop team",
      because: tags.includes("shop") ? 'trigger "Everything of the shop"' : "rule 2 of this channel",
    });
  if (source === "heartbeat" || source === "certificate")
    targets.push({ channelId: OFFICE, name: "Office", because: "rule 5 of this channel" });
  return targets;
}

function verdictRow(alert: Numbered): Row {
  const targets = targetsOf(alert);
  const names = targets.map(({ name }) => `"${name}"`).join(", ");
  const verdicts = [
    { stage: "settle", text: "All hosts were listed." },
    { stage: "maintenance", text: "No active maintenance window." },
    { stage: "dependency", text: "No dependency is down." },
    { stage: "silence", text: "No matching silence." },
    { stage: "routing", text: `To ${targets.map(({ name, because }) => `"${name}" (${because})`).join(", ")}.` },
    { stage: "dedup", text: "Not sent yet." },
    { stage: "deliver", text: `${targets.length === 1 ? "1 delivery" : `${targets.length} deliveries`} queued for ${names}.` },
  ].map((each) => ({ ...each, verdict: "passed" }));
  return { alert_id: alert.id, evaluation: 1, transition: "fired", verdicts: JSON.stringify(verdicts), at: alert.firedMs };
}

interface Sending {
  event: "alert.fired" | "alert.resolved";
  atMs: number;
  targets: readonly Target[];
  /** Of an escalation. */
  level?: number | null;
}

/** A message for each alert and for its end, to each channel; an escalation for what nobody took on. */
function deliveryRows(alerts: readonly Numbered[], nowMs: number): Rows[] {
  const notifications: Row[] = [];
  const deliveries: Row[] = [];
  const runs: Row[] = [];
  const steps: Row[] = [];
  function send(alert: Numbered, { event, atMs, targets, level = null }: Sending): void {
    const notificationId = notifications.length + 1;
    const body = {
      event,
      alert: { id: alert.id, message: alert.message, severity: alert.severity },
      escalation: null,
      timestamp: new Date(atMs).toISOString(),
    };
    notifications.push({ id: notificationId, body: JSON.stringify(body), created_at: atMs });
    for (const { channelId, because } of targets) {
      const id = deliveries.length + 1;
      deliveries.push({
        ...{ id, notification_id: notificationId, alert_id: alert.id, channel_id: channelId, event, notify_on_resolve: 1 },
        ...{ escalation_run_id: level === null ? null : runs.length, escalation_level: level, because, replay_of: null, status: "sent" },
        ...{ attempts: 1, next_attempt_at: null, last_attempt_at: atMs + 300, last_status_code: 200, last_error: null },
        ...{ sent_at: atMs + 300, created_at: atMs },
      });
      if (level !== null)
        steps.push({
          ...{ run_id: runs.length, delivery_id: id, channel_id: channelId, level_index: level, kind: "level", event },
          ...{ status: "delivered", error: null, created_at: atMs, settled_at: atMs + 300 },
        });
    }
  }
  for (const alert of alerts) {
    const targets = targetsOf(alert);
    send(alert, { event: "alert.fired", atMs: alert.firedMs, targets });
    if (alert.severity === "critical" && alert.tags.includes("shop") && alert.resolvedMs !== null) escalate(alert, alert.resolvedMs);
    if (alert.resolvedMs !== null && alert.resolvedMs < nowMs) send(alert, { event: "alert.resolved", atMs: alert.resolvedMs, targets });
  }

  function escalate(alert: Numbered, endMs: number): void {
    const acknowledged = acknowledgedMs(alert);
    const overMs = acknowledged ?? endMs;
    runs.push({
      ...{ id: runs.length + 1, alert_id: alert.id, policy_id: ESCALATION.id },
      plan: JSON.stringify({ name: ESCALATION.name, filters: ESCALATION.filters, levels: ESCALATION.levels }),
      status: acknowledged === null ? "stopped_by_resolve" : "stopped_by_ack",
      level_index: overMs - alert.firedMs > ESCALATED_AFTER_MS ? 1 : 0,
      started_at: alert.firedMs,
      paused_at: null,
      paused_until: null,
      paused_ms: 0,
      next_at: null,
      due_at: null,
      ended_at: overMs,
      version: 1,
    });
    if (overMs - alert.firedMs > ESCALATED_AFTER_MS)
      send(alert, {
        event: "alert.fired",
        atMs: alert.firedMs + ESCALATED_AFTER_MS,
        targets: [{ channelId: TEAM, name: "Shop team", because: `escalation policy ${ESCALATION.name}` }],
        level: 0,
      });
  }
  return [
    { table: "delivery_notifications", rows: notifications },
    { table: "escalation_runs", rows: runs },
    { table: "deliveries", rows: deliveries },
    { table: "escalation_deliveries", rows: steps },
  ];
}
