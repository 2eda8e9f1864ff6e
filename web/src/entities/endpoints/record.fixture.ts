import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS, namedSettingsOf } from "../../../../src/contract/check-settings.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";

/** An http endpoint that is up, for tests, with whatever differs. */
export function endpointRecord(parts: Partial<EndpointRecord> = {}): EndpointRecord {
  const at = "2026-11-21T04:00:00.000Z";
  return {
    id: 1,
    agent_id: null,
    container_id: null,
    container_name: null,
    service_id: null,
    service_name: null,
    name: "shop",
    key: null,
    source: "standalone",
    label_key: null,
    type: "http",
    target: "https://shop.example.com/",
    status: "up",
    status_since: at,
    status_reason: null,
    alerting: false,
    consecutive_failures: 0,
    consecutive_successes: 5,
    last_check_at: at,
    last_observed_at: at,
    last_response_time_ms: 38,
    last_http_status: 200,
    last_error: null,
    last_failure_class: null,
    certificate: null,
    active: true,
    inactive_since: null,
    paused: false,
    config: {
      interval_seconds: 30,
      timeout_seconds: 10,
      ...namedSettingsOf(CHECK_SETTINGS, defaultsOf(CHECK_SETTINGS)),
      method: "GET",
      expected_status: ["2xx"],
      headers: { Authorization: "********" },
      ...namedSettingsOf(HTTP_SETTINGS, defaultsOf(HTTP_SETTINGS)),
    },
    alert_severity: "critical",
    alert_channels: [],
    alert_tags: ["shop"],
    uptime_24h: 100,
    created_at: at,
    updated_at: at,
    ...parts,
  };
}
