import { createHash } from "node:crypto";
import type { Insertable, Selectable, Generated } from "kysely";
import type { CertificateSource } from "../../contract/certificate.ts";
import { toDate } from "../../contract/time.ts";
import type { CertificateStatus } from "../../events.ts";
import type { CertificateScan } from "../../observations.ts";
import type { Certificate, KnownLeaf, Raised, SavedCertificate } from "./certificate.ts";

/** The columns of this feature's tables; see storage/migrations/006-certificates.ts and 037-caller-keys.ts for their meaning. */
export interface CertificateTables {
  certificates: CertificateRow;
  certificate_facts: { id: Generated<number>; certificate_id: number; digest: string; facts: string };
  certificate_checks: CheckRow;
}

interface CertificateRow {
  id: Generated<number>;
  agent_id: string | null;
  caller_key: string | null;
  domain: string;
  port: number;
  server_name: string;
  source: string;
  endpoint_id: number | null;
  container: string | null;
  alerts: string;
  alert_thresholds_days: string;
  check_interval_ms: number;
  created_at: number;
  updated_at: number;
  status: string;
  status_since: number;
  message: string | null;
  raised: string;
  leaf: string | null;
  last_check_at: number | null;
  last_error: string | null;
  next_check_at: number;
}

/** The types that values from outside the table must be cast to. */
export const CERTIFICATE_TYPES: Readonly<Record<keyof Omit<CertificateRow, "id">, "TEXT" | "BIGINT" | "DOUBLE PRECISION">> = {
  agent_id: "TEXT",
  caller_key: "TEXT",
  domain: "TEXT",
  port: "BIGINT",
  server_name: "TEXT",
  source: "TEXT",
  endpoint_id: "BIGINT",
  container: "TEXT",
  alerts: "TEXT",
  alert_thresholds_days: "TEXT",
  check_interval_ms: "BIGINT",
  created_at: "BIGINT",
  updated_at: "BIGINT",
  status: "TEXT",
  status_since: "BIGINT",
  message: "TEXT",
  raised: "TEXT",
  leaf: "TEXT",
  last_check_at: "BIGINT",
  last_error: "TEXT",
  next_check_at: "BIGINT",
};

interface CheckRow {
  id: Generated<number>;
  certificate_id: number;
  /** null when no certificate was seen. */
  facts_id: number | null;
  status: string;
  error: string | null;
  checked_at: number;
}

/** What a check showed, without what depends on when it was. */
export type Facts = Omit<CertificateScan, "error">;

export interface SavedCheck {
  id: number;
  status: CertificateStatus;
  /** Why no certificate was seen. */
  error: string | null;
  /** null when none was seen. */
  facts: Facts | null;
  at: Date;
}

export function certificateToRow(certificate: Certificate): Omit<Insertable<CertificateRow>, "id"> {
  const { state, container, alerts } = certificate;
  return {
    agent_id: certificate.agentId,
    caller_key: certificate.callerKey,
    domain: certificate.domain,
    port: certificate.port,
    server_name: certificate.serverName,
    source: certificate.source,
    endpoint_id: certificate.endpointId,
    container: container === null ? null : JSON.stringify(container),
    alerts: JSON.stringify(alerts),
    alert_thresholds_days: JSON.stringify(certificate.thresholdsDays),
    check_interval_ms: certificate.checkIntervalMs,
    created_at: certificate.createdAt.getTime(),
    updated_at: certificate.updatedAt.getTime(),
    status: state.status,
    status_since: state.statusSince.getTime(),
    message: state.message,
    raised: JSON.stringify(state.raised),
    leaf: state.leaf === null ? null : JSON.stringify(state.leaf),
    last_check_at: state.lastCheckAt?.getTime() ?? null,
    last_error: state.lastError,
    next_check_at: state.nextCheckAt.getTime(),
  };
}

export function certificateFromRow(row: Selectable<CertificateRow>): SavedCertificate {
  return {
    id: row.id,
    agentId: row.agent_id,
    callerKey: row.caller_key,
    domain: row.domain,
    port: row.port,
    serverName: row.server_name,
    // These columns hold what certificateToRow wrote, which is of these types.
    source: row.source as CertificateSource,
    endpointId: row.endpoint_id,
    container: row.container === null ? null : (JSON.parse(row.container) as Certificate["container"]),
    alerts: JSON.parse(row.alerts) as Certificate["alerts"],
    thresholdsDays: JSON.parse(row.alert_thresholds_days) as number[],
    checkIntervalMs: row.check_interval_ms,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    state: {
      status: row.status as CertificateStatus,
      statusSince: new Date(row.status_since),
      message: row.message,
      raised: JSON.parse(row.raised) as Raised,
      leaf: row.leaf === null ? null : leafFromText(row.leaf),
      lastCheckAt: toDate(row.last_check_at),
      lastError: row.last_error,
      nextCheckAt: new Date(row.next_check_at),
    },
  };
}

function leafFromText(text: string): KnownLeaf {
  const { expiresAt, ...leaf } = JSON.parse(text) as Omit<KnownLeaf, "expiresAt"> & { expiresAt: string };
  return { ...leaf, expiresAt: new Date(expiresAt) };
}

/** undefined when no certificate was seen. */
export function factsToText({ error: _, ...facts }: CertificateScan): { facts: string; digest: string } | undefined {
  if (facts.leaf === null) return undefined;
  const text = JSON.stringify(facts);
  return { facts: text, digest: createHash("sha256").update(text).digest("base64url") };
}

const DATES: ReadonlySet<string> = new Set(["notBefore", "expiresAt"]);

export function factsFromText(text: string): Facts {
  // This column holds what factsToText wrote.
  return JSON.parse(text, (key, value: unknown) => (DATES.has(key) && typeof value === "string" ? new Date(value) : value)) as Facts;
}
