import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { encodeColumns, sealBytes } from "../../../src/storage/series/index.ts";
import { AGENT_ID, ago, json, NOW_MS, type Rows } from "./row.ts";

const DAY = Math.floor(NOW_MS / DAY_MS);
const SUCCEEDED = 3;
const FAILED = 2;
const WENT_DOWN = 16;
const NONE = Number.NaN;
const ALERTS = json({ severity: "critical", channels: ["on-call"], tags: ["shop"] });

const HTTP = {
  type: "http",
  target: "https://shop.example.org/health",
  intervalMs: 30_000,
  timeoutMs: 5000,
  failureThreshold: 2,
  recoveryThreshold: 2,
  http: { method: "GET", expectedStatus: ["200", "3xx"], tlsVerify: true, headers: {}, maxRedirects: 5, bodyContains: "ok" },
};
const TCP = { ...HTTP, type: "tcp", target: "db.example.org:5432", http: null };

/** Three checks half a minute apart: two succeeded, the last one did not. The form is that of docs/decisions/009-checks.md. */
function checks(endpointId?: number): Uint8Array {
  const columns = [
    [0, 30_000, 30_000],
    [125, 131, NONE],
    [200, 200, 503],
    [SUCCEEDED, SUCCEEDED, FAILED + WENT_DOWN],
    [NONE, NONE, 4],
    [NONE, NONE, 0],
    ...(endpointId === undefined ? [] : [[endpointId, endpointId, endpointId]]),
  ];
  return encodeColumns(columns.map((column) => Float64Array.from(column)));
}

const TALLY = json({
  carry: { atMs: ago(MINUTE_MS), up: true },
  newestHour: Math.floor(NOW_MS / HOUR_MS) - 1,
  hours: Array.from({ length: 50 }, (_, hour) => (hour < 25 ? HOUR_MS : 0)),
  points: [12.5, null, 13.1],
});

const LEAF = {
  fingerprint: "AB:CD:01",
  subject: "CN=shop.example.org",
  issuer: "CN=Harbour CA",
  issuerOrg: "Harbour",
  expiresAt: new Date(ago(-20 * DAY_MS)),
};
const LINK = { subject: LEAF.subject, issuer: LEAF.issuer, notBefore: new Date(ago(70 * DAY_MS)), expiresAt: LEAF.expiresAt, error: null };
const FACTS = {
  leaf: {
    subject: LEAF.subject,
    issuer: LEAF.issuer,
    issuerOrg: LEAF.issuerOrg,
    sans: ["shop.example.org", "www.shop.example.org"],
    serialNumber: "01F3",
    fingerprintSha256: LEAF.fingerprint,
    keyType: "EC P-256",
    signatureAlgorithm: "ecdsa-with-SHA256",
    notBefore: LINK.notBefore,
    expiresAt: LEAF.expiresAt,
  },
  chain: [LINK],
  chainValid: true,
  chainError: null,
  hostnameMatch: true,
  ocsp: "good",
};

const ENDPOINT = {
  alerts: ALERTS,
  paused: 0,
  inactive_since: null,
  created_at: ago(19 * DAY_MS),
  updated_at: ago(10 * DAY_MS),
  alerting: 0,
  failing_since: null,
  consecutive_failures: 0,
  last_error: null,
  last_failure_class: null,
  certificate_trusted: null,
  certificate_expires_at: null,
  tally: TALLY,
  counted_id: 1,
  sealed_id: 0,
};

const HEARTBEAT = {
  agent_id: null,
  tags: json(["backup"]),
  grace_seconds: 600,
  max_runtime_seconds: null,
  updated_at: ago(9 * DAY_MS),
  created_at: ago(9 * DAY_MS),
  deleted_at: null,
  reason: null,
  failing_since: null,
  day: DAY * DAY_MS,
  day_counted_until: ago(HOUR_MS),
  day_counted_ms: 11 * HOUR_MS,
  day_down_ms: 0,
  day_checks: 4,
  day_incidents: 0,
};

/** Endpoints, heartbeats and certificates. */
export const CHECKS: Rows = {
  endpoints: [
    {
      ...ENDPOINT,
      id: 1,
      agent_id: null,
      container_external_id: "c1".repeat(32),
      container_id: 1,
      container_name: "shop-web-1",
      label_key: "service.endpoint.http",
      name: "shop-web-1",
      checked: json(HTTP),
      status: "up",
      status_since: ago(2 * DAY_MS),
      consecutive_successes: 40,
      last_check_at: ago(MINUTE_MS),
      last_observed_at: ago(MINUTE_MS),
      last_response_time_ms: 13.1,
      last_http_status: 200,
      certificate_trusted: 1,
      certificate_expires_at: LEAF.expiresAt.getTime(),
    },
    {
      ...ENDPOINT,
      id: 2,
      agent_id: null,
      container_external_id: null,
      container_id: null,
      container_name: null,
      label_key: null,
      name: "Shop database",
      caller_key: "shop/database",
      checked: json(TCP),
      status: "down",
      status_since: ago(HOUR_MS),
      alerting: 1,
      failing_since: ago(HOUR_MS),
      consecutive_failures: 12,
      consecutive_successes: 0,
      last_check_at: ago(MINUTE_MS),
      last_observed_at: ago(MINUTE_MS),
      last_response_time_ms: null,
      last_http_status: null,
      last_error: "connection refused",
      last_failure_class: "connect",
    },
  ],
  endpoint_journal: [{ id: 1, at: ago(2 * MINUTE_MS), bytes: checks(2), errors: json(["connection refused"]) }],
  endpoint_chunks: [
    {
      id: 1,
      endpoint_id: 1,
      start_at: ago(3 * HOUR_MS),
      end_at: ago(3 * HOUR_MS - MINUTE_MS),
      checks: 3,
      bytes: sealBytes(checks(), { compress: true }),
      errors: json(["Service Unavailable"]),
    },
  ],
  endpoint_days: [
    { endpoint_id: 1, day: DAY - 1, checks: 2880, failures: 3, up_ms: DAY_MS - 90_000, down_ms: 90_000, incidents: 1 },
    { endpoint_id: 2, day: DAY - 1, checks: 2880, failures: 0, up_ms: DAY_MS, down_ms: 0, incidents: 0 },
  ],
  endpoint_pauses: [{ id: 1, endpoint_id: 1, paused_at: ago(4 * DAY_MS), resumed_at: ago(3 * DAY_MS) }],
  heartbeats: [
    {
      ...HEARTBEAT,
      id: 1,
      uuid: "3b0f2c0e-4a0a-4d6d-8f0e-0a4f5a1f7c01",
      name: "Nightly backup",
      caller_key: "jobs/backup",
      schedule: "cron",
      interval_seconds: null,
      cron: "0 3 * * *",
      timezone: "Europe/Berlin",
      status: "up",
      status_changed_at: ago(8 * DAY_MS),
      last_ping_at: ago(10 * HOUR_MS),
      expected_at: ago(-14 * HOUR_MS),
      expected_since: ago(10 * HOUR_MS),
      due_at: ago(-14 * HOUR_MS - 10 * MINUTE_MS),
      last_exit_code: 0,
      last_duration_ms: 92_000,
      recent_outcomes: "ssfs",
    },
    {
      ...HEARTBEAT,
      id: 2,
      uuid: "3b0f2c0e-4a0a-4d6d-8f0e-0a4f5a1f7c02",
      agent_id: AGENT_ID,
      name: "Index rebuild",
      schedule: "interval",
      interval_seconds: 3600,
      cron: null,
      timezone: "UTC",
      status: "down",
      status_changed_at: ago(2 * HOUR_MS),
      reason: "exit_code",
      failing_since: ago(2 * HOUR_MS),
      last_ping_at: ago(30 * MINUTE_MS),
      expected_at: ago(-30 * MINUTE_MS),
      expected_since: ago(30 * MINUTE_MS),
      due_at: ago(-40 * MINUTE_MS),
      last_exit_code: 3,
      last_duration_ms: null,
      recent_outcomes: "sff",
    },
  ],
  heartbeat_pings: [
    [1, 1, "start", null, ago(10 * HOUR_MS + 92_000), "success", ago(10 * HOUR_MS)] as const,
    [2, 1, "success", null, ago(10 * HOUR_MS), null, null] as const,
    [3, 2, "exit_code", 3, ago(30 * MINUTE_MS), "failure", ago(30 * MINUTE_MS)] as const,
  ].map(([id, heartbeat_id, kind, exit_code, received_at, outcome, ended_at]) => ({
    ...{ id, heartbeat_id, kind, exit_code, received_at, outcome, ended_at },
    rid: id === 3 ? null : "5f5d9f8e-33a1-4b13-b63a-4ad4a4b9d301",
    source_ip: "192.0.2.7",
    method: "POST",
    user_agent: "curl/8.5.0",
    body: id === 3 ? "index is locked" : null,
    run_exit_code: outcome === null ? null : exit_code,
  })),
  heartbeat_pauses: [{ id: 1, heartbeat_id: 1, paused_at: ago(9 * DAY_MS), resumed_at: ago(8 * DAY_MS) }],
  ping_gaps: [
    { id: 1, from_at: ago(DAY_MS), until_at: ago(DAY_MS - MINUTE_MS) },
    { id: 2, from_at: ago(MINUTE_MS), until_at: null },
  ],
  heartbeat_days: [
    { heartbeat_id: 1, day: (DAY - 1) * DAY_MS, counted_ms: DAY_MS, down_ms: 0, checks: 1, incidents: 0 },
    { heartbeat_id: 2, day: (DAY - 1) * DAY_MS, counted_ms: DAY_MS, down_ms: HOUR_MS, checks: 24, incidents: 1 },
  ],
  certificates: [
    {
      id: 1,
      agent_id: null,
      caller_key: null,
      domain: "shop.example.org",
      port: 443,
      server_name: "shop.example.org",
      source: "endpoint",
      endpoint_id: 1,
      container: null,
      alerts: ALERTS,
      alert_thresholds_days: json([30, 14, 7, 3, 1]),
      check_interval_ms: 12 * HOUR_MS,
      created_at: ago(19 * DAY_MS),
      updated_at: ago(19 * DAY_MS),
      status: "expiring",
      status_since: ago(DAY_MS),
      message: "The certificate expires in 20 days.",
      raised: json({ fingerprint: LEAF.fingerprint, announcedDays: 30, expiring: true, expired: false, chainInvalid: false }),
      leaf: json(LEAF),
      last_check_at: ago(HOUR_MS),
      last_error: null,
      next_check_at: ago(-11 * HOUR_MS),
    },
  ],
  certificate_facts: [{ id: 1, certificate_id: 1, digest: "c2hvcC1mYWN0cy0x", facts: json(FACTS) }],
  certificate_checks: [
    { id: 1, certificate_id: 1, facts_id: 1, status: "valid", error: null, checked_at: ago(13 * HOUR_MS) },
    { id: 2, certificate_id: 1, facts_id: null, status: "unreachable", error: "connection refused", checked_at: ago(7 * HOUR_MS) },
    { id: 3, certificate_id: 1, facts_id: 1, status: "expiring", error: null, checked_at: ago(HOUR_MS) },
  ],
};
