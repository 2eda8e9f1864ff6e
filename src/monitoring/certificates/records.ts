import { wireTime } from "../../contract/time.ts";
import { CERTIFICATE_SCAN_MS } from "../../observations.ts";
import type { CertificateCheckRecord, CertificateList, CertificateRecord } from "./answers.ts";
import { daysUntil, type SavedCertificate } from "./certificate.ts";
import type { SavedCheck } from "./rows.ts";
import { standingAlerts } from "./verdict.ts";

/** A certificate as it goes over the wire. */
export function certificateRecord(certificate: SavedCertificate, now: Date): CertificateRecord {
  const { state, alerts } = certificate;
  const { leaf } = state;
  return {
    id: certificate.id,
    agent_id: certificate.agentId,
    domain: certificate.domain,
    port: certificate.port,
    server_name: certificate.serverName,
    key: certificate.callerKey,
    source: certificate.source,
    endpoint_id: certificate.endpointId,
    container_id: certificate.container?.id ?? null,
    status: state.status,
    status_since: state.statusSince.toISOString(),
    message: state.message,
    alerting: standingAlerts(certificate),
    days_until_expiry: leaf === null ? null : daysUntil(leaf.expiresAt, now),
    expires_at: wireTime(leaf?.expiresAt ?? null),
    issuer: leaf?.issuer ?? null,
    issuer_org: leaf?.issuerOrg ?? null,
    subject: leaf?.subject ?? null,
    fingerprint_sha256: leaf?.fingerprint ?? null,
    alert_thresholds_days: [...certificate.thresholdsDays],
    check_interval_seconds: certificate.checkIntervalMs / 1000,
    last_check_at: wireTime(state.lastCheckAt),
    next_check_at: nextScanAt(certificate).toISOString(),
    last_error: state.lastError,
    alert_severity: alerts.severity,
    alert_channels: [...alerts.channels],
    alert_tags: [...alerts.tags],
    created_at: certificate.createdAt.toISOString(),
    updated_at: certificate.updatedAt.toISOString(),
  };
}

/** How many there are of each status. */
export function countsOf(records: readonly CertificateRecord[]): CertificateList["counts"] {
  const counts = { valid: 0, expiring: 0, expired: 0, chain_invalid: 0, unreachable: 0, unknown: 0 };
  for (const { status } of records) counts[status] += 1;
  return counts;
}

/** An agent looks more often than checks of it are kept. */
function nextScanAt({ agentId, state, createdAt }: SavedCertificate): Date {
  if (agentId === null) return state.nextCheckAt;
  return new Date((state.lastCheckAt ?? createdAt).getTime() + CERTIFICATE_SCAN_MS);
}

export function checkRecord({ id, status, error, facts, at }: SavedCheck): CertificateCheckRecord {
  const leaf = facts?.leaf ?? null;
  return {
    id,
    status,
    error,
    subject: leaf?.subject ?? null,
    issuer: leaf?.issuer ?? null,
    issuer_org: leaf?.issuerOrg ?? null,
    sans: leaf === null ? [] : [...leaf.sans],
    serial_number: leaf?.serialNumber ?? null,
    fingerprint_sha256: leaf?.fingerprintSha256 ?? null,
    key_type: leaf?.keyType ?? null,
    signature_algorithm: leaf?.signatureAlgorithm ?? null,
    not_before: leaf?.notBefore.toISOString() ?? null,
    expires_at: leaf?.expiresAt.toISOString() ?? null,
    days_until_expiry: leaf === null ? null : daysUntil(leaf.expiresAt, at),
    chain_valid: facts?.chainValid ?? null,
    chain_error: facts?.chainError ?? null,
    hostname_match: facts?.hostnameMatch ?? null,
    chain: (facts?.chain ?? []).map(({ subject, issuer, notBefore, expiresAt, error: fault }, position) => ({
      position,
      subject,
      issuer,
      not_before: notBefore.toISOString(),
      expires_at: expiresAt.toISOString(),
      error: fault,
    })),
    ocsp: facts?.ocsp ?? null,
    checked_at: at.toISOString(),
  };
}
