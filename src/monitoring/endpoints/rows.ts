import type { Insertable, Selectable, Generated } from "kysely";
import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS } from "../../contract/check-settings.ts";
import { toDate } from "../../contract/time.ts";
import type { EndpointStatus } from "../../events.ts";
import type { EndpointCheck, FailureClass, HttpCheck } from "../../observations.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { Endpoint, SavedEndpoint } from "./endpoint.ts";
import { type Tally, tallyFromText, tallyToText } from "./tally.ts";

/** The columns of this feature's tables; see storage/migrations/004-endpoints.ts, 037-caller-keys.ts, 050-pauses.ts and 053-endpoint-observed.ts for their meaning. */
export interface EndpointTables {
  endpoints: EndpointRow;
  endpoint_journal: { id: Generated<number>; at: number; bytes: Uint8Array; errors: string | null };
  endpoint_chunks: ChunkRow;
  endpoint_days: DayRow;
  endpoint_pauses: { id: Generated<number>; endpoint_id: number; paused_at: number; resumed_at: number | null };
}

interface EndpointRow {
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
  last_observed_at: number | null;
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

/** The types that values from outside the table must be cast to, for the columns that change. */
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
  last_observed_at: "BIGINT",
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

interface ChunkRow {
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

/** An endpoint as it was saved last, with the rows of the journal up to which it was counted and sealed. */
export interface Checkpoint {
  endpoint: SavedEndpoint;
  tally: Tally;
  countedId: number;
  sealedId: number;
}

/** The columns of a row without those of {@link Checkpoint}. */
export type EndpointColumns = Omit<Insertable<EndpointRow>, "id" | "counted_id" | "sealed_id">;

/** `stored` is the check as it may be kept. */
export function endpointToRow(endpoint: Endpoint, stored: EndpointCheck, tally: Tally): EndpointColumns {
  const { container, state, alerts } = endpoint;
  return {
    agent_id: endpoint.agentId,
    container_external_id: container?.externalId ?? null,
    container_id: container?.id ?? null,
    container_name: container?.name ?? null,
    label_key: endpoint.labelKey,
    name: endpoint.name,
    caller_key: endpoint.callerKey,
    checked: JSON.stringify(stored),
    alerts: JSON.stringify(alerts),
    paused: Number(endpoint.paused),
    inactive_since: endpoint.inactiveSince?.getTime() ?? null,
    created_at: endpoint.createdAt.getTime(),
    updated_at: endpoint.updatedAt.getTime(),
    status: state.status,
    status_since: state.statusSince.getTime(),
    alerting: Number(state.alerting),
    failing_since: state.failingSince?.getTime() ?? null,
    consecutive_failures: state.consecutiveFailures,
    consecutive_successes: state.consecutiveSuccesses,
    last_check_at: state.lastCheckAt?.getTime() ?? null,
    last_observed_at: state.lastObservedAt?.getTime() ?? null,
    last_response_time_ms: state.lastResponseTimeMs,
    last_http_status: state.lastHttpStatus,
    last_error: state.lastError,
    last_failure_class: state.lastFailureClass,
    certificate_trusted: state.certificate === null ? null : Number(state.certificate.trusted),
    certificate_expires_at: state.certificate?.expiresAt?.getTime() ?? null,
    tally: tallyToText(tally),
  };
}

/** A row with what holds credentials sealed: the check of an endpoint without a label. */
export function sealedColumns<Row extends EndpointColumns>(row: Row, id: number, secrets: StoredSecrets): Row {
  return row.label_key === null ? { ...row, checked: secrets.seal(row.checked, placeOf(id)) } : row;
}

export function openRow(row: Selectable<EndpointRow>, secrets: StoredSecrets): Selectable<EndpointRow> {
  return row.label_key === null ? { ...row, checked: secrets.open(row.checked, placeOf(row.id)) } : row;
}

function placeOf(id: number): { table: string; column: string; id: number } {
  return { table: "endpoints", column: "checked", id };
}

export function checkpointFromRow(row: Selectable<EndpointRow>): Checkpoint {
  return {
    endpoint: endpointFromRow(row),
    tally: tallyFromText(row.tally),
    countedId: row.counted_id,
    sealedId: row.sealed_id,
  };
}

function endpointFromRow(row: Selectable<EndpointRow>): SavedEndpoint {
  return {
    id: row.id,
    agentId: row.agent_id,
    container:
      row.container_external_id === null
        ? null
        : { externalId: row.container_external_id, id: row.container_id, name: row.container_name ?? "", labels: {}, running: null },
    labelKey: row.label_key,
    name: row.name,
    callerKey: row.caller_key,
    check: checkFromText(row.checked),
    // These columns hold what endpointToRow wrote, which is of these types.
    alerts: JSON.parse(row.alerts) as Endpoint["alerts"],
    paused: row.paused === 1,
    inactiveSince: toDate(row.inactive_since),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    state: {
      status: row.status as EndpointStatus,
      statusSince: new Date(row.status_since),
      alerting: row.alerting === 1,
      failingSince: toDate(row.failing_since),
      consecutiveFailures: row.consecutive_failures,
      consecutiveSuccesses: row.consecutive_successes,
      lastCheckAt: toDate(row.last_check_at),
      lastObservedAt: toDate(row.last_observed_at),
      lastResponseTimeMs: row.last_response_time_ms,
      lastHttpStatus: row.last_http_status,
      lastError: row.last_error,
      lastFailureClass: row.last_failure_class as FailureClass | null,
      certificate:
        row.certificate_trusted === null ? null : { trusted: row.certificate_trusted === 1, expiresAt: toDate(row.certificate_expires_at) },
    },
  };
}

/** The column of checks, as endpointToRow wrote it; settings that it had no value for yet have their defaults. */
export function checkFromText(text: string): EndpointCheck {
  const { type, target, intervalMs, timeoutMs, http, ...settings } = JSON.parse(text) as EndpointCheck;
  return {
    ...{ type, target, intervalMs, timeoutMs, ...defaultsOf(CHECK_SETTINGS), ...settings },
    http: http === null ? null : withDefaults(http),
  };
}

/** Checks are compared as texts: the order is that in which bodies and labels are read. */
function withDefaults({ method, expectedStatus, headers, ...settings }: HttpCheck): HttpCheck {
  return { method, expectedStatus, headers, ...defaultsOf(HTTP_SETTINGS), ...settings };
}
