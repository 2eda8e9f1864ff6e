import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";

/** A certificate that is valid, for tests, with whatever differs. */
export function certificateRecord(parts: Partial<CertificateRecord> = {}): CertificateRecord {
  const at = "2026-11-21T04:00:00.000Z";
  return {
    id: 1,
    agent_id: null,
    domain: "shop.example.com",
    port: 443,
    server_name: "shop.example.com",
    key: null,
    source: "standalone",
    endpoint_id: null,
    container_id: null,
    status: "valid",
    status_since: at,
    message: null,
    alerting: [],
    days_until_expiry: 62,
    expires_at: "2027-01-22T04:00:00.000Z",
    issuer: "CN=Example CA",
    issuer_org: "Example",
    subject: "CN=shop.example.com",
    fingerprint_sha256: null,
    alert_thresholds_days: [30, 14, 7, 3, 1],
    check_interval_seconds: 43_200,
    last_check_at: at,
    next_check_at: at,
    last_error: null,
    alert_severity: "critical",
    alert_channels: [],
    alert_tags: [],
    created_at: at,
    updated_at: at,
    ...parts,
  };
}
