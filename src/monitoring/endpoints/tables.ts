import type { Generated } from "kysely";

/** The columns of this feature's tables; see storage/migrations/004-endpoints.ts for their meaning. */
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
}

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
