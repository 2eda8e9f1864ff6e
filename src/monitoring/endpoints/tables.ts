import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/004-endpoints.ts and 037-caller-keys.ts for their meaning. */
export interface EndpointTables {
  endpoints: EndpointRow;
  endpoint_journal: { id: Generated<number>; at: number; bytes: Uint8Array; errors: string | null };
  endpoint_chunks: ChunkRow;
  endpoint_days: DayRow;
}

export interface EndpointRow {
  id: Generated<number>;
  agent_id: string | null;
  container_external_id: string | null;
  container_id: number | null;
  container_name: string | null;
  label_key: string | null;
  name: string;
  checked: string;
  alerts: string;
  paused: number;
  inactive_since: number | null;
  created_at: number;
  updated_at: number;
  status: string;
  status_since: number;
  alerting: number;
  failing_since: number | null;
  consecutive_failures: number;
  consecutive_successes: number;
  last_check_at: number | null;
  last_response_time_ms: number | null;
  last_http_status: number | null;
  last_error: string | null;
  last_failure_class: string | null;
  certificate_trusted: number | null;
  certificate_expires_at: number | null;
  tally: string;
  /** State and tally hold the checks of the journal up to this row. */
  counted_id: number;
  /** Chunks hold the checks of the journal up to this row. */
  sealed_id: number;
  caller_key: string | null;
}

/** What values from outside the table must be told to be, of the columns that change. */
export const ENDPOINT_TYPES: Readonly<Record<keyof Omit<EndpointRow, "id" | "sealed_id">, "TEXT" | "BIGINT" | "DOUBLE PRECISION">> = {
  agent_id: "TEXT",
  container_external_id: "TEXT",
  container_id: "BIGINT",
  container_name: "TEXT",
  label_key: "TEXT",
  name: "TEXT",
  checked: "TEXT",
  alerts: "TEXT",
  paused: "BIGINT",
  inactive_since: "BIGINT",
  created_at: "BIGINT",
  updated_at: "BIGINT",
  status: "TEXT",
  status_since: "BIGINT",
  alerting: "BIGINT",
  failing_since: "BIGINT",
  consecutive_failures: "BIGINT",
  consecutive_successes: "BIGINT",
  last_check_at: "BIGINT",
  last_response_time_ms: "DOUBLE PRECISION",
  last_http_status: "BIGINT",
  last_error: "TEXT",
  last_failure_class: "TEXT",
  certificate_trusted: "BIGINT",
  certificate_expires_at: "BIGINT",
  tally: "TEXT",
  counted_id: "BIGINT",
  caller_key: "TEXT",
};

export interface ChunkRow {
  id: Generated<number>;
  endpoint_id: number;
  start_at: number;
  end_at: number;
  checks: number;
  bytes: Uint8Array;
  errors: string | null;
}

export interface DayRow {
  endpoint_id: number;
  day: number;
  checks: number;
  failures: number;
  up_ms: number;
  down_ms: number;
  incidents: number;
}
