/** What the result of one check changes wherever its endpoint is shown. */
import { SPARKLINE_CHECKS } from "../../../src/contract/endpoint.ts";
import type { EventData } from "../../../src/events.ts";
import type {
  CheckList,
  CheckRecord,
  EndpointList,
  EndpointRecord,
  ResponseTimes,
  Sparklines,
} from "../../../src/monitoring/endpoints/answers.ts";

export type CheckEvent = EventData["endpoint.check_result"];

/** The record after a check; one that is older than what is known, as after a resumed stream, changes nothing. */
export function patchEndpoint<Endpoint extends EndpointRecord>(endpoint: Endpoint, event: CheckEvent): Endpoint {
  if (endpoint.last_check_at !== null && event.timestamp <= endpoint.last_check_at) return endpoint;
  const hasTurned = event.status !== endpoint.status;
  return {
    ...endpoint,
    status: event.status,
    status_since: hasTurned ? event.timestamp : endpoint.status_since,
    status_reason: hasTurned ? null : endpoint.status_reason,
    alerting: event.alerting,
    consecutive_failures: event.consecutive_failures,
    consecutive_successes: event.consecutive_successes,
    last_check_at: event.timestamp,
    last_error: event.error,
    // A host without a network says nothing of what it could not reach.
    ...(event.observed && {
      last_observed_at: event.timestamp,
      last_response_time_ms: event.response_time_ms,
      last_http_status: event.http_status,
      last_failure_class: event.failure_class,
    }),
  };
}

/** The list after some checks; the last check of each endpoint counts. Rows without one stay the same objects. */
export function patchRows(list: EndpointList, events: ReadonlyMap<number, CheckEvent>): EndpointList {
  let isSame = true;
  const endpoints = list.endpoints.map((endpoint) => {
    const event = events.get(endpoint.id);
    const patched = event === undefined ? endpoint : patchEndpoint(endpoint, event);
    isSame &&= patched === endpoint;
    return patched;
  });
  return isSame ? list : { ...list, endpoints };
}

/** The lines with the points that checks, oldest first, add. Lines without one stay the same objects. */
export function extendSparklines({ endpoints }: Sparklines, events: readonly CheckEvent[]): Sparklines {
  const extended = { ...endpoints };
  for (const { endpoint_id: id, observed, success, response_time_ms, status } of events) {
    const line = extended[id] ?? { points: [], status, uptime_24h: null };
    const points = observed ? [...line.points.slice(1 - SPARKLINE_CHECKS), success ? response_time_ms : null] : line.points;
    extended[id] = { ...line, points, status };
  }
  return { endpoints: extended };
}

/** The newest page of checks with one more; one that is in it already changes nothing. */
export function prependCheck(page: CheckList, event: CheckEvent): CheckList {
  const newest = page.checks[0];
  if (newest !== undefined && event.timestamp <= newest.timestamp) return page;
  const { success, observed, response_time_ms, http_status, failure_class, error, timestamp } = event;
  // Until the list is read again its time stands for its id; ids of the server are never that large.
  const id = -Date.parse(timestamp);
  const check: CheckRecord = { id, success, observed, response_time_ms, http_status, failure_class, error, replayed: false, timestamp };
  return { ...page, checks: [check, ...page.checks], total: page.total + 1 };
}

/** The series with one more check, in the step that it falls into. */
export function extendResponseTimes(times: ResponseTimes, event: CheckEvent): ResponseTimes {
  const stepMs = times.step_seconds * 1000;
  const atMs = Date.parse(event.timestamp);
  const { series } = times;
  const last = series.timestamps.length - 1;
  const lastMs = Date.parse(series.timestamps[last] ?? new Date(0).toISOString());
  if (!event.observed || atMs < lastMs) return times;
  const value = event.response_time_ms;
  if (atMs >= lastMs + stepMs) {
    const begin = new Date(Math.floor(atMs / stepMs) * stepMs).toISOString();
    return {
      ...times,
      series: {
        timestamps: [...series.timestamps, begin],
        response_time_ms: [...series.response_time_ms, value],
        response_time_ms_max: [...series.response_time_ms_max, value],
        checks: [...series.checks, 1],
        failures: [...series.failures, event.success ? 0 : 1],
      },
    };
  }
  const checks = series.checks[last] ?? 0;
  const failures = series.failures[last] ?? 0;
  return {
    ...times,
    series: {
      ...series,
      response_time_ms: series.response_time_ms.with(last, meanWith(series.response_time_ms[last] ?? null, checks, value)),
      response_time_ms_max: series.response_time_ms_max.with(last, greaterOf(series.response_time_ms_max[last] ?? null, value)),
      checks: series.checks.with(last, checks + 1),
      failures: series.failures.with(last, failures + (event.success ? 0 : 1)),
    },
  };
}

/** As near as possible without knowing how many of `count` checks were answered; the next reading is exact. */
function meanWith(mean: number | null, count: number, value: number | null): number | null {
  if (value === null) return mean;
  return mean === null || count <= 0 ? value : (mean * count + value) / (count + 1);
}

function greaterOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
