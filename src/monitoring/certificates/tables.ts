import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/006-certificates.ts and 037-caller-keys.ts for their meaning. */
export interface CertificateTables {
  certificates: CertificateRow;
  certificate_facts: { id: Generated<number>; certificate_id: number; digest: string; facts: string };
  certificate_checks: CheckRow;
}

export interface CertificateRow {
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

/** What values from outside the table must be told to be. */
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

export interface CheckRow {
  id: Generated<number>;
  certificate_id: number;
  /** null when no certificate was seen. */
  facts_id: number | null;
  status: string;
  error: string | null;
  checked_at: number;
}
