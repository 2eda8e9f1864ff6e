import type { EndpointStatus, Event } from "../../events.ts";
import type { Check } from "./checks/head.ts";
import { shownTarget } from "./definition.ts";
import { type CheckChange, type SavedEndpoint, serviceOf } from "./endpoint.ts";

/** The events of a check and of what it changed, in order. */
export function checkEvents({
  previous,
  next,
  check,
  change,
}: {
  previous: SavedEndpoint;
  next: SavedEndpoint;
  check: Check;
  change: CheckChange;
}): Event[] {
  const { state } = next;
  const at = new Date(check.atMs);
  const result: Event = {
    type: "endpoint.check_result",
    data: {
      endpoint_id: next.id,
      agent_id: next.agentId,
      name: next.name,
      success: check.success,
      observed: check.observed,
      response_time_ms: check.responseTimeMs,
      http_status: check.httpStatus,
      failure_class: check.failureClass,
      error: check.error,
      status: state.status,
      alerting: state.alerting,
      consecutive_failures: state.consecutiveFailures,
      consecutive_successes: state.consecutiveSuccesses,
      timestamp: at.toISOString(),
    },
  };
  const about = aboutEndpoint(next, at);
  const previousStatus = previous.state.status;
  switch (change) {
    case undefined:
      return [result];
    case "status":
      return [result, { type: "endpoint.updated", data: { ...about, previous_status: previousStatus } }];
    case "recovery":
      return [result, { type: "endpoint.recovery", data: { ...about, previous_status: previousStatus, reason: "recovered" } }];
    case "alert":
      return [result, alertEvent(next, { at, previousStatus, ...check })];
  }
}

/** The event to publish again for an endpoint that is down now. */
export function problemEvents(endpoint: SavedEndpoint, at: Date): Event[] {
  const { alerting, status, lastError: error, lastFailureClass: failureClass, lastHttpStatus: httpStatus } = endpoint.state;
  return alerting ? [alertEvent(endpoint, { at, previousStatus: status, error, failureClass, httpStatus })] : [];
}

function alertEvent(
  endpoint: SavedEndpoint,
  {
    at,
    previousStatus,
    error,
    failureClass,
    httpStatus,
  }: { at: Date; previousStatus: EndpointStatus } & Pick<Check, "error" | "failureClass" | "httpStatus">,
): Event {
  const { state, check } = endpoint;
  return {
    type: "endpoint.alert",
    data: {
      ...aboutEndpoint(endpoint, at),
      previous_status: previousStatus,
      consecutive_failures: state.consecutiveFailures,
      failure_threshold: check.failureThreshold,
      error,
      failure_class: failureClass,
      http_status: httpStatus,
      failing_since: (state.failingSince ?? at).toISOString(),
    },
  };
}

/** The events of a changed definition, or of checking that began or ended, in order. */
export function definitionEvents(previous: SavedEndpoint | undefined, next: SavedEndpoint, at: Date): Event[] {
  const about = aboutEndpoint(next, at);
  if (previous === undefined || (previous.inactiveSince !== null && next.inactiveSince === null))
    return [{ type: "endpoint.created", data: about }];
  const previousStatus = previous.state.status;
  const events: Event[] = [];
  if (previous.state.alerting && !next.state.alerting)
    events.push({ type: "endpoint.recovery", data: { ...about, previous_status: previousStatus, reason: reasonOf(next) } });
  if (next.inactiveSince !== null) return previous.inactiveSince === null ? [...events, { type: "endpoint.removed", data: about }] : [];
  return [...events, { type: "endpoint.updated", data: { ...about, previous_status: previousStatus } }];
}

/** The events of a deleted endpoint. */
export function removedEvents(endpoint: SavedEndpoint, at: Date): Event[] {
  const about = { ...aboutEndpoint(endpoint, at), status: "unknown" as const, alerting: false };
  const { status: previous_status, alerting } = endpoint.state;
  return [
    ...(alerting ? [{ type: "endpoint.recovery" as const, data: { ...about, previous_status, reason: "removed" as const } }] : []),
    { type: "endpoint.removed", data: about },
  ];
}

function reasonOf({ inactiveSince, paused }: SavedEndpoint): Event<"endpoint.recovery">["data"]["reason"] {
  if (inactiveSince !== null) return "removed";
  return paused ? "paused" : "changed";
}

/** What every event about an endpoint says. */
function aboutEndpoint({ id, agentId, name, container, check, state, alerts }: SavedEndpoint, at: Date) {
  return {
    id,
    agent_id: agentId,
    name,
    container_id: container?.id ?? null,
    container_name: serviceOf({ container }) === undefined ? (container?.name ?? null) : null,
    source: container === null ? ("standalone" as const) : ("label" as const),
    type: check.type,
    target: shownTarget(check),
    status: state.status,
    alerting: state.alerting,
    labels: { ...container?.labels },
    alert_severity: alerts.severity,
    alert_channels: [...alerts.channels],
    alert_tags: [...alerts.tags],
    timestamp: at.toISOString(),
  };
}
