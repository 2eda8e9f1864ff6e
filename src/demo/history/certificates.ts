import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { certificateExpiresAt, scanOf } from "../world/checked.ts";
import type { PastEndpoint } from "./endpoint-store.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

/** The certificate of an https endpoint. */
export interface PastCertificate {
  id: number;
  domain: string;
  endpointId: number;
  of: PastContainer;
  expiresMs: number;
}

/** The threshold at which an alert begins that is not renewed in time. */
export const WARNED_DAYS = 7;
const EXPIRING_DAYS = 30;
const THRESHOLDS = [30, 14, 7, 3, 1];
const CHECKED_EVERY_MS = 12 * HOUR_MS;
const PORT = 443;

/** One for each host and name. */
export function certificatesOf(endpoints: readonly PastEndpoint[], { updatedMs }: Moments): PastCertificate[] {
  const firsts = Map.groupBy(endpoints, ({ of, check }) => `${of.container.host.hostname} ${URL.parse(check.target)?.hostname}`);
  return [...firsts.values()].flatMap(([first], index) => {
    const domain = first === undefined ? undefined : URL.parse(first.check.target)?.hostname;
    if (first === undefined || domain === undefined) return [];
    return [{ id: index + 1, domain, endpointId: first.id, of: first.of, expiresMs: certificateExpiresAt(domain, updatedMs).getTime() }];
  });
}

export function certificateRows(endpoints: readonly PastEndpoint[], moments: Moments): Rows[] {
  const certificates = certificatesOf(endpoints, moments);
  return [
    { table: "certificates", rows: certificates.map((each) => certificateRow(each, moments)) },
    { table: "certificate_facts", rows: certificates.map((each) => factsRow(each, moments)) },
    { table: "certificate_checks", rows: certificates.flatMap((each) => checkRows(each, moments)) },
  ];
}

function certificateRow({ id, domain, endpointId, of, expiresMs }: PastCertificate, { startMs, nowMs, updatedMs }: Moments): Row {
  const { leaf } = scanOf({ domain, port: PORT, serverName: domain }, { updatedMs });
  const isExpiring = expiresMs - nowMs < EXPIRING_DAYS * DAY_MS;
  const isWarned = expiresMs - nowMs < WARNED_DAYS * DAY_MS;
  return {
    ...{ id, agent_id: of.container.host.agentId, caller_key: null, domain, port: PORT, server_name: domain, source: "endpoint" },
    ...{ endpoint_id: endpointId, container: null, check_interval_ms: CHECKED_EVERY_MS, created_at: startMs, updated_at: startMs },
    alerts: JSON.stringify({ severity: of.container.labels["service.alert.severity"] ?? "critical", channels: [], tags: [] }),
    alert_thresholds_days: JSON.stringify(THRESHOLDS),
    status: isExpiring ? "expiring" : "valid",
    status_since: isExpiring ? expiresMs - EXPIRING_DAYS * DAY_MS : (leaf?.notBefore.getTime() ?? startMs),
    message: null,
    raised: JSON.stringify({
      ...{ fingerprint: isWarned ? (leaf?.fingerprintSha256 ?? null) : null, announcedDays: isWarned ? WARNED_DAYS : null },
      ...{ expiring: isWarned, expired: false, chainInvalid: false },
    }),
    leaf: JSON.stringify({
      ...{ fingerprint: leaf?.fingerprintSha256, subject: leaf?.subject, issuer: leaf?.issuer, issuerOrg: leaf?.issuerOrg },
      expiresAt: leaf?.expiresAt,
    }),
    ...{ last_check_at: nowMs - HOUR_MS, last_error: null, next_check_at: nowMs + 2_000 },
  };
}

function factsRow({ id, domain }: PastCertificate, { updatedMs }: Moments): Row {
  const { error: _error, ...facts } = scanOf({ domain, port: PORT, serverName: domain }, { updatedMs });
  const text = JSON.stringify(facts);
  return { id, certificate_id: id, digest: createHash("sha256").update(text).digest("base64url"), facts: text };
}

/** Since the present certificate was put in. */
function checkRows({ id, domain, expiresMs }: PastCertificate, { startMs, nowMs, updatedMs }: Moments): Row[] {
  const { leaf } = scanOf({ domain, port: PORT, serverName: domain }, { updatedMs });
  const rows: Row[] = [];
  for (let atMs = nowMs - HOUR_MS; atMs > Math.max(startMs, leaf?.notBefore.getTime() ?? startMs); atMs -= CHECKED_EVERY_MS)
    rows.push({
      ...{ certificate_id: id, facts_id: id, error: null, checked_at: atMs },
      status: expiresMs - atMs < EXPIRING_DAYS * DAY_MS ? "expiring" : "valid",
    });
  return rows.reverse();
}
