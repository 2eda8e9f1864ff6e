import { toSighting } from "../../collector/labels.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { EndpointCheck } from "../../observations.ts";
import { encodeColumns, sealBytes } from "../../storage/series/index.ts";
import { certificateExpiresAt, checkedAt, responseMs } from "../world/checked.ts";
import { externalIdOf } from "../world/identity.ts";
import { shownAt } from "../world/shown.ts";
import { UNHEALTHY_AFTER_MS } from "./containers.ts";
import { type Moments, type Outage, overlap, type PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

/** An endpoint of a container's label, with its past. */
export interface PastEndpoint {
  id: number;
  of: PastContainer;
  labelKey: string;
  check: EndpointCheck;
  name: string;
  /** Of at least as many checks as make it down. */
  outages: readonly Outage[];
}

/** Single checks are kept for so long. */
const CHECKS_KEPT_MS = 30 * DAY_MS;
const STEP_MS = MINUTE_MS;
const FAILURES_TO_BE_DOWN = 3;
const SPARKLINE = 30;
const HOURS = 25;
const SUCCEEDED = 3;
const FAILED = 2;
const WENT_DOWN = 16;
const HTTP_FAULT = 4;
/** Before its end a certificate makes its endpoint degraded. */
const WARNED_DAYS = 7;

export function endpointsOf(past: readonly PastContainer[], moments: Moments): PastEndpoint[] {
  const found = past.flatMap((of) => {
    const { endpoints } = toSighting(shownAt(of.container, { atMs: moments.nowMs, updatedMs: moments.updatedMs }));
    return endpoints.map(({ labelKey, check }) => ({ of, labelKey, check, name: of.container.name, outages: outagesOf(of, moments) }));
  });
  return found.map((each, index) => ({ ...each, id: index + 1 }));
}

function outagesOf({ container, incidents }: PastContainer, { updatedMs }: Moments): Outage[] {
  const before = incidents.filter(({ fromMs, untilMs }) => untilMs - fromMs > (FAILURES_TO_BE_DOWN + 1) * STEP_MS);
  if (container.fate === "unhealthy") return [...before, { fromMs: updatedMs + UNHEALTHY_AFTER_MS, untilMs: Infinity }];
  return container.fate === "crashing" ? [...before, { fromMs: updatedMs, untilMs: Infinity }] : before;
}

export function endpointRows(endpoints: readonly PastEndpoint[], moments: Moments): Rows[] {
  return [
    { table: "endpoints", rows: endpoints.map((each) => endpointRow(each, moments)) },
    { table: "endpoint_days", rows: endpoints.flatMap((each) => dayRows(each, moments)) },
    { table: "endpoint_chunks", rows: chunkRows(endpoints, moments) },
  ];
}

/** A crashing container is not checked: nobody could answer. */
function lastCheckMs({ of }: PastEndpoint, { nowMs, updatedMs }: Moments): number {
  const endMs = of.container.fate === "crashing" ? updatedMs : nowMs - 20_000;
  return Math.floor(endMs / STEP_MS) * STEP_MS;
}

function isDownAt(outages: readonly Outage[], atMs: number): boolean {
  return outages.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs);
}

function endpointRow(endpoint: PastEndpoint, moments: Moments): Row {
  const { id, of, labelKey, check, name, outages } = endpoint;
  const { container } = of;
  const { startMs, updatedMs } = moments;
  const lastMs = lastCheckMs(endpoint, moments);
  const last = checkedAt(check.target, { atMs: lastMs, updatedMs });
  const outage = outages.findLast(({ fromMs, untilMs }) => lastMs >= fromMs && lastMs < untilMs);
  const isDown = outage !== undefined && container.fate === "unhealthy";
  const failingMs = isDown ? Math.ceil(outage.fromMs / STEP_MS) * STEP_MS : null;
  const failures = failingMs === null ? 0 : Math.max(FAILURES_TO_BE_DOWN, (lastMs - failingMs) / STEP_MS + 1);
  const url = URL.parse(check.target);
  return {
    id,
    agent_id: container.host.agentId,
    container_external_id: externalIdOf(container),
    container_id: of.id,
    container_name: container.name,
    label_key: labelKey,
    name,
    caller_key: null,
    checked: JSON.stringify(check),
    alerts: JSON.stringify({
      severity: container.labels["service.alert.severity"] ?? "critical",
      channels: [],
      tags: container.fate === "well" ? [] : ["shop"],
    }),
    paused: 0,
    inactive_since: null,
    created_at: startMs,
    updated_at: startMs,
    ...statusOf(endpoint, { failingMs, lastMs, startMs, updatedMs }),
    alerting: Number(isDown),
    failing_since: failingMs,
    consecutive_failures: failures,
    consecutive_successes: isDown ? 0 : 200,
    last_check_at: lastMs,
    last_observed_at: lastMs,
    last_response_time_ms: last.responseTimeMs,
    last_http_status: isDown ? last.httpStatus : 200,
    last_error: isDown ? last.error : null,
    last_failure_class: isDown ? "http" : null,
    certificate_trusted: url?.protocol === "https:" ? 1 : null,
    certificate_expires_at: url?.protocol === "https:" ? certificateExpiresAt(url.hostname, updatedMs).getTime() : null,
    tally: JSON.stringify(tallyOf(endpoint, lastMs)),
    counted_id: 0,
    sealed_id: 0,
  };
}

/** A crashing container is not checked, and what warns of its certificate is degraded. */
function statusOf(
  { of, check, outages }: PastEndpoint,
  { failingMs, lastMs, startMs, updatedMs }: { failingMs: number | null; lastMs: number; startMs: number; updatedMs: number },
): { status: string; status_since: number } {
  if (of.container.fate === "crashing") return { status: "unknown", status_since: updatedMs };
  if (failingMs !== null) return { status: "down", status_since: failingMs + (FAILURES_TO_BE_DOWN - 1) * STEP_MS };
  const since = outages.findLast(({ untilMs }) => untilMs < lastMs)?.untilMs ?? startMs;
  const url = URL.parse(check.target);
  const warnedMs = url?.protocol === "https:" ? certificateExpiresAt(url.hostname, updatedMs).getTime() - WARNED_DAYS * DAY_MS : Infinity;
  return warnedMs < lastMs ? { status: "degraded", status_since: Math.max(since, warnedMs) } : { status: "up", status_since: since };
}

/** What is known of the last day by counting, in the form of the endpoints' own tally. */
function tallyOf({ check, outages }: PastEndpoint, lastMs: number) {
  const newestHour = Math.floor(lastMs / HOUR_MS);
  const hours = Array.from({ length: 2 * HOURS }, () => 0);
  for (let hour = newestHour - HOURS + 1; hour <= newestHour; hour += 1) {
    const endMs = Math.min((hour + 1) * HOUR_MS, lastMs);
    const downMs = overlap(outages, hour * HOUR_MS, endMs);
    hours[hour % HOURS] = Math.max(0, endMs - hour * HOUR_MS - downMs);
    hours[HOURS + (hour % HOURS)] = downMs;
  }
  const points = Array.from({ length: SPARKLINE }, (_, index) => {
    const atMs = lastMs - (SPARKLINE - 1 - index) * STEP_MS;
    return isDownAt(outages, atMs) ? null : responseMs(check.target, atMs);
  });
  return { carry: { atMs: lastMs, up: !isDownAt(outages, lastMs) }, newestHour, hours, points };
}

function dayRows(endpoint: PastEndpoint, moments: Moments): Row[] {
  const rows: Row[] = [];
  const endMs = lastCheckMs(endpoint, moments);
  for (let day = Math.floor(moments.startMs / DAY_MS); day * DAY_MS < endMs; day += 1) {
    const fromMs = Math.max(day * DAY_MS, moments.startMs);
    const untilMs = Math.min((day + 1) * DAY_MS, endMs);
    const downMs = overlap(endpoint.outages, fromMs, untilMs);
    rows.push({
      endpoint_id: endpoint.id,
      day,
      checks: Math.round((untilMs - fromMs) / STEP_MS),
      failures: Math.round(downMs / STEP_MS),
      up_ms: untilMs - fromMs - downMs,
      down_ms: downMs,
      incidents: endpoint.outages.filter((outage) => outage.fromMs >= fromMs && outage.fromMs < untilMs).length,
    });
  }
  return rows;
}

/** A chunk a day: the differences of the times, tenths of milliseconds, statuses, flags, classes and places of errors. See docs/decisions/009-checks.md. */
function* chunkRows(endpoints: readonly PastEndpoint[], moments: Moments): Generator<Row> {
  const fromMs = moments.nowMs - CHECKS_KEPT_MS;
  for (const endpoint of endpoints) {
    const endMs = lastCheckMs(endpoint, moments);
    for (let dayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS; dayMs < endMs; dayMs += DAY_MS)
      yield chunkRow(endpoint, dayMs, Math.min(dayMs + DAY_MS, endMs + STEP_MS));
  }
}

function chunkRow({ id, check, outages, of }: PastEndpoint, fromMs: number, untilMs: number): Row {
  const count = Math.ceil((untilMs - fromMs) / STEP_MS);
  const column = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const [times, responses, statuses, flags, classes, errors] = [column(), column(), column(), column(), column(), column()];
  const status = of.container.fate === "unhealthy" ? 503 : 502;
  const error = `status ${status}, expected 2xx`;
  let failed = 0;
  let hasFailed = false;
  for (let index = 0; index < count; index += 1) {
    const atMs = fromMs + index * STEP_MS;
    const isDown = isDownAt(outages, atMs);
    failed = isDown ? failed + 1 : 0;
    times[index] = index === 0 ? 0 : STEP_MS;
    responses[index] = responseMs(check.target, atMs) * 10;
    statuses[index] = isDown ? status : 200;
    flags[index] = isDown ? FAILED + (failed === FAILURES_TO_BE_DOWN ? WENT_DOWN : 0) : SUCCEEDED;
    if (!isDown) continue;
    classes[index] = HTTP_FAULT;
    errors[index] = 0;
    hasFailed = true;
  }
  return {
    endpoint_id: id,
    start_at: fromMs,
    end_at: fromMs + (count - 1) * STEP_MS,
    checks: count,
    bytes: sealBytes(encodeColumns([times, responses, statuses, flags, classes, errors]), { compress: true }),
    errors: hasFailed ? JSON.stringify([error]) : null,
  };
}
