import { CHECK_SETTINGS, HTTP_SETTINGS, namedSettingsOf } from "../../contract/check-settings.ts";
import { wireTime } from "../../contract/time.ts";
import type { CheckRecord, EndpointRecord } from "./answers.ts";
import type { Check } from "./checks/head.ts";
import { shownHeaders, shownTarget } from "./definition.ts";
import { type Endpoint, expiresSoon, longestMs, type SavedEndpoint, serviceOf } from "./endpoint.ts";
import { type Tally, uptime24h } from "./tally.ts";

/** An endpoint as it goes over the wire. */
export function endpointRecord(endpoint: SavedEndpoint, tally: Tally, now: Date): EndpointRecord {
  const { container, check, state, alerts } = endpoint;
  const { http } = check;
  const service = serviceOf(endpoint);
  return {
    id: endpoint.id,
    agent_id: endpoint.agentId,
    container_id: container?.id ?? null,
    container_name: service === undefined ? (container?.name ?? null) : null,
    service_id: service?.id ?? null,
    service_name: service?.name ?? null,
    name: endpoint.name,
    key: endpoint.callerKey,
    source: container === null ? "standalone" : "label",
    label_key: endpoint.labelKey,
    type: check.type,
    target: shownTarget(check),
    status: state.status,
    status_since: state.statusSince.toISOString(),
    status_reason: statusReason(endpoint, now),
    alerting: state.alerting,
    consecutive_failures: state.consecutiveFailures,
    consecutive_successes: state.consecutiveSuccesses,
    last_check_at: wireTime(state.lastCheckAt),
    last_observed_at: wireTime(state.lastObservedAt),
    last_response_time_ms: state.lastResponseTimeMs,
    last_http_status: state.lastHttpStatus,
    last_error: state.lastError,
    last_failure_class: state.lastFailureClass,
    certificate:
      state.certificate === null ? null : { trusted: state.certificate.trusted, expires_at: wireTime(state.certificate.expiresAt) },
    active: endpoint.inactiveSince === null,
    inactive_since: wireTime(endpoint.inactiveSince),
    paused: endpoint.paused,
    config: {
      interval_seconds: check.intervalMs / 1000,
      timeout_seconds: check.timeoutMs / 1000,
      ...namedSettingsOf(CHECK_SETTINGS, check),
      method: http?.method ?? null,
      expected_status: http?.expectedStatus ?? null,
      headers: http === null ? null : shownHeaders(http),
      ...namedSettingsOf(HTTP_SETTINGS, http),
    },
    alert_severity: alerts.severity,
    alert_channels: [...alerts.channels],
    alert_tags: [...alerts.tags],
    uptime_24h: uptime24h(tally, now.getTime(), longestMs(check)),
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

export function checkRecord({ atMs, success, observed, responseTimeMs, httpStatus, failureClass, error, replayed }: Check): CheckRecord {
  return {
    id: atMs,
    success,
    observed,
    response_time_ms: responseTimeMs,
    http_status: httpStatus,
    failure_class: failureClass,
    error,
    replayed,
    timestamp: new Date(atMs).toISOString(),
  };
}

function statusReason({ state, inactiveSince, paused, container }: Endpoint, now: Date): EndpointRecord["status_reason"] {
  if (inactiveSince !== null) return "label_removed";
  if (paused) return "paused";
  if (container?.running === false) return serviceOf({ container }) === undefined ? "container_stopped" : "service_stopped";
  if (state.status === "unknown") return "not_checked_yet";
  if (state.status !== "degraded" || state.certificate === null) return null;
  return !state.certificate.trusted || !expiresSoon(state.certificate, now) ? "certificate_untrusted" : "certificate_expiring";
}
