import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { EndpointRecord } from "../../../../../src/monitoring/endpoints/answers.ts";
import { FAILURE_WORDS, isUnobserved, observedError } from "../../../format/endpoint-status.ts";
import { formatMilliseconds } from "../../../format/milliseconds.ts";
import { countOf } from "../../../format/number.ts";
import { formatLength } from "../../../format/time.ts";

/** How an endpoint is and why, in sentences. */
export function headline(endpoint: EndpointRecord, nowMs: number): string {
  const age = formatLength(nowMs - Date.parse(endpoint.status_since));
  const failures = endpoint.consecutive_failures;
  if (!endpoint.active) return `Its label was removed, so checks have stopped. History is kept for ${KEPT_DAYS.inactiveEndpoints} days.`;
  if (endpoint.paused) return "Checks are paused.";
  if (isUnobserved(endpoint)) {
    const unseen = formatLength(nowMs - Date.parse(endpoint.last_observed_at ?? endpoint.status_since));
    return `Not seen for ${unseen}: ${failureSentence({ ...endpoint, last_failure_class: null })}`;
  }
  switch (endpoint.status) {
    case "down":
      return `Down for ${age}: ${observedSentence(endpoint)}`;
    case "degraded":
      return `Responding, but ${DEGRADED[endpoint.status_reason ?? ""] ?? "there is a problem with its certificate"}.${failing(endpoint)}`;
    case "up": {
      const time = endpoint.last_response_time_ms;
      const fast = time === null ? "" : ` Last response time ${formatMilliseconds(time)}.`;
      return failures > 0 ? `Up for ${age}.${failing(endpoint)}` : `Up for ${age}.${fast}`;
    }
    case "unknown":
      if (endpoint.status_reason === "container_stopped") return `Not checked: container ${endpoint.container_name ?? ""} is not running.`;
      if (endpoint.status_reason === "service_stopped") return `Not checked: service ${endpoint.service_name ?? ""} is scaled to zero.`;
      if (failures === 0 && endpoint.last_error !== null && hasTried(endpoint)) return `Unknown: ${failureSentence(endpoint)}`;
      if (failures > 0) return `Unknown.${failing(endpoint)}`;
      return endpoint.last_check_at === null
        ? "Not checked yet. The first check runs within seconds."
        : "Not checked again yet. The next check runs within seconds.";
  }
}

/** A check was begun since it is unknown, and could not be made. */
function hasTried({ last_check_at: last, status_since: since }: EndpointRecord): boolean {
  return last !== null && Date.parse(last) >= Date.parse(since);
}

const DEGRADED: Readonly<Record<string, string>> = {
  certificate_untrusted: "its certificate is not trusted",
  certificate_expiring: "its certificate expires within 7 days",
};
function failing(endpoint: EndpointRecord): string {
  const { consecutive_failures: failures, config } = endpoint;
  if (failures === 0) return "";
  return ` The last ${failures === 1 ? "check" : countOf(failures, "check")} failed (${config.failure_threshold} in a row count as down): ${observedSentence(endpoint)}`;
}

function observedSentence(endpoint: EndpointRecord): string {
  return failureSentence({ ...endpoint, last_error: observedError(endpoint) });
}

/** The last failure as a sentence. */
export function failureSentence({
  last_error: error,
  last_failure_class: failure,
}: Pick<EndpointRecord, "last_error" | "last_failure_class">): string {
  const text = error ?? (failure === null ? "unknown reason" : FAILURE_WORDS[failure]);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
