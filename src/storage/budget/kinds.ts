import { DAY_MS } from "../../contract/time.ts";

/** Rows that may be dropped before their retention ends when the database is too large. */
export interface DroppablePart {
  table: string;
  /** The column by which a row is found. */
  key: string;
  /** The column with the time that makes a row's age; undefined for rows to which nothing refers any more, which are dropped first. */
  at?: string;
  /** The column by which rows are read, oldest first: the key if keys rise with time, else one with an index. */
  order: string;
  /** SQL for the rows that may be dropped; all when undefined. Current rows never are. */
  where?: string;
  /** The column that is emptied; the row itself stays. */
  clears?: string;
  /** Only their age is shown; they are never dropped before their time. */
  stays?: true;
  /** The age at which its loss matters as little as that of other data at the age of its worth. */
  worthMs: number;
}

/** Records of one kind, as the storage page shows them. */
export interface RecordKind {
  kind: "checks" | "pings" | "history" | "alerts" | "deliveries" | "webhook_deliveries" | "certificate_checks" | "images" | "audit";
  tables: readonly string[];
  /** How long the feature that writes them keeps them. */
  keptMs: number;
  parts: readonly DroppablePart[];
}

export const RECORD_KINDS: readonly RecordKind[] = [
  {
    kind: "images",
    tables: [
      "image_packages",
      "osv_records",
      "changelogs",
      "update_images",
      "update_enrichments",
      "update_scans",
      "update_comparisons",
      "image_runs",
    ],
    keptMs: 400 * DAY_MS,
    parts: [
      // By its last use: it is read again from its registry or database when it is needed.
      { table: "image_packages", key: "digest", at: "used_at", order: "used_at", worthMs: 2 * DAY_MS },
      { table: "osv_records", key: "id", at: "used_at", order: "used_at", worthMs: 2 * DAY_MS },
      {
        table: "update_scans",
        key: "id",
        at: "completed_at",
        order: "id",
        // The last completed scan and later ones stay, since they determine when the next is due.
        where: "completed_at IS NOT NULL AND id < (SELECT MAX(id) FROM update_scans WHERE status = 'completed')",
        worthMs: 60 * DAY_MS,
      },
    ],
  },
  {
    kind: "webhook_deliveries",
    tables: ["webhook_deliveries"],
    keptMs: 7 * DAY_MS,
    parts: [{ table: "webhook_deliveries", key: "id", at: "created_at", order: "id", where: "status <> 'pending'", worthMs: 2 * DAY_MS }],
  },
  {
    kind: "deliveries",
    tables: ["deliveries", "delivery_notifications", "escalation_runs", "escalation_deliveries"],
    keptMs: 90 * DAY_MS,
    parts: [
      {
        table: "deliveries",
        key: "id",
        at: "created_at",
        order: "id",
        where: `status <> 'pending' AND NOT EXISTS (
          SELECT 1 FROM alerts WHERE alerts.id = deliveries.alert_id AND alerts.status = 'active')`,
        worthMs: 14 * DAY_MS,
      },
      {
        table: "delivery_notifications",
        key: "id",
        at: "created_at",
        order: "id",
        where: "NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.notification_id = delivery_notifications.id)",
        worthMs: 14 * DAY_MS,
      },
    ],
  },
  {
    kind: "pings",
    tables: ["heartbeat_pings", "heartbeat_days", "ping_gaps"],
    keptMs: 30 * DAY_MS,
    parts: [
      {
        table: "heartbeat_pings",
        key: "id",
        at: "received_at",
        order: "id",
        where: "outcome IS DISTINCT FROM 'running'",
        worthMs: 14 * DAY_MS,
      },
    ],
  },
  {
    kind: "checks",
    tables: ["endpoint_journal", "endpoint_chunks", "endpoint_days"],
    keptMs: 30 * DAY_MS,
    parts: [{ table: "endpoint_chunks", key: "id", at: "end_at", order: "id", worthMs: 20 * DAY_MS }],
  },
  {
    kind: "history",
    tables: ["transitions", "watched_spans", "container_generations", "resource_breaches", "kubernetes_events"],
    keptMs: 90 * DAY_MS,
    parts: [
      // Events of the type Normal are missed least.
      { table: "kubernetes_events", key: "id", at: "last_at", order: "last_at", where: "type = 'Normal'", worthMs: 2 * DAY_MS },
      { table: "kubernetes_events", key: "id", at: "last_at", order: "last_at", worthMs: 14 * DAY_MS },
      // Most of the space is taken by the last log lines before an end.
      {
        table: "transitions",
        key: "id",
        at: "occurred_at",
        order: "occurred_at",
        where: "log_snippet IS NOT NULL",
        clears: "log_snippet",
        worthMs: 14 * DAY_MS,
      },
      // Without a transition, the state after it would count for the time before it too.
      { table: "transitions", key: "id", at: "occurred_at", order: "occurred_at", worthMs: 60 * DAY_MS, stays: true },
    ],
  },
  {
    kind: "certificate_checks",
    tables: ["certificate_checks", "certificate_facts"],
    keptMs: 400 * DAY_MS,
    parts: [
      {
        table: "certificate_checks",
        key: "id",
        at: "checked_at",
        order: "checked_at",
        // The last check of each certificate stays.
        where: `EXISTS (SELECT 1 FROM certificate_checks AS newer
          WHERE newer.certificate_id = certificate_checks.certificate_id AND newer.checked_at > certificate_checks.checked_at)`,
        worthMs: 60 * DAY_MS,
      },
      {
        table: "certificate_facts",
        key: "id",
        order: "id",
        where: "NOT EXISTS (SELECT 1 FROM certificate_checks WHERE certificate_checks.facts_id = certificate_facts.id)",
        worthMs: 60 * DAY_MS,
      },
    ],
  },
  {
    kind: "alerts",
    tables: ["alerts", "alert_verdicts", "status_incident_alerts"],
    keptMs: 400 * DAY_MS,
    parts: [
      {
        table: "alerts",
        key: "id",
        at: "resolved_at",
        order: "resolved_at",
        where: `status = 'resolved' AND resolved_at IS NOT NULL AND held_by IS NULL AND persists = 0 AND NOT EXISTS (
          SELECT 1 FROM deliveries WHERE deliveries.alert_id = alerts.id AND deliveries.status = 'pending')`,
        worthMs: 180 * DAY_MS,
      },
    ],
  },
  {
    kind: "audit",
    tables: ["audit_entries"],
    keptMs: 400 * DAY_MS,
    parts: [{ table: "audit_entries", key: "id", at: "at", order: "at", worthMs: 300 * DAY_MS }],
  },
];

/** The worth of resource figures, by their detail. */
export const FIGURES_WORTH_MS = { detail: 2 * DAY_MS, minutes: 30 * DAY_MS, hours: 400 * DAY_MS } as const;
