import { z } from "zod";
import { CHECK_SETTINGS, HTTP_SETTINGS } from "../../contract/check-settings.ts";
import { RANGE_NAMES } from "../../contract/ranges.ts";
import { shownKey, bulkAnswer } from "../../http/bulk.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { severity, shownSettings, source, status, type } from "./api.ts";

const failureClass = z.enum(["dns", "connect", "timeout", "tls", "http", "assertion"]).nullable();
const percent = z.number().min(0).max(100).nullable();
const milliseconds = z.number().min(0).nullable();

export const config = z.object({
  interval_seconds: z.number(),
  timeout_seconds: z.number(),
  ...shownSettings(CHECK_SETTINGS),
  method: z.string().nullable().meta({ description: "this and all below: null for tcp" }),
  expected_status: z.array(z.string()).nullable(),
  headers: z.record(z.string(), z.string()).nullable().meta({ description: "every value is masked" }),
  ...shownSettings(HTTP_SETTINGS, null),
});

export const endpoint = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  container_id: z.number().int().nullable(),
  container_name: z.string().nullable(),
  service_id: z.string().nullable().meta({ description: "of the service of a swarm whose label defines it" }),
  service_name: z.string().nullable(),
  name: z.string(),
  key: shownKey,
  source,
  label_key: z.string().nullable().meta({ description: "the label that names its target" }),
  type,
  target: z.string().meta({ description: "credentials in it are masked" }),
  status,
  status_since: timestamp,
  status_reason: z
    .enum([
      ...(["not_checked_yet", "paused", "container_stopped", "service_stopped", "label_removed"] as const),
      ...(["certificate_untrusted", "certificate_expiring"] as const),
    ])
    .nullable()
    .meta({ description: "why it is unknown or degraded; null otherwise, since last_error says the rest" }),
  alerting: z.boolean(),
  consecutive_failures: z.number().int(),
  consecutive_successes: z.number().int(),
  last_check_at: timestamp.nullable(),
  last_observed_at: timestamp.nullable().meta({
    description:
      "the last check by a host with a network and a resolver: where it is much older than last_check_at, status is the last known",
  }),
  last_response_time_ms: milliseconds,
  last_http_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  last_failure_class: failureClass,
  certificate: z
    .object({ trusted: z.boolean(), expires_at: timestamp.nullable() })
    .nullable()
    .meta({ description: "of an https target, by the last check that saw one" }),
  active: z.boolean().meta({ description: "false once its label is gone; removed 30 days later" }),
  inactive_since: timestamp.nullable(),
  paused: z.boolean(),
  config,
  alert_severity: severity,
  alert_channels: z.array(z.string()),
  alert_tags: z.array(z.string()),
  uptime_24h: percent.meta({ description: "time after checks that succeeded / time observed; null when nothing was observed" }),
  created_at: timestamp,
  updated_at: timestamp.meta({ description: "of its definition" }),
});
export type EndpointRecord = z.infer<typeof endpoint>;

export const endpointList = z.object({
  endpoints: z.array(endpoint),
  total: z.number().int(),
  counts: z
    .object({ up: z.number().int(), down: z.number().int(), degraded: z.number().int(), unknown: z.number().int() })
    .meta({ description: "of all that fit, not of this page alone; one whose status is only the last known to be up counts as unknown" }),
  next_cursor: nextCursor,
});
export type EndpointList = z.infer<typeof endpointList>;

export const endpointDetail = endpoint.extend({
  uptime: z
    .object({ "24h": percent, "7d": percent, "30d": percent, "90d": percent })
    .meta({ description: "24h: the last 24 hours; the others: today and the days before, in UTC" }),
});
export type EndpointDetail = z.infer<typeof endpointDetail>;

export const containerEndpoints = z.object({ container_id: z.number().int(), endpoints: z.array(endpoint), total: z.number().int() });
export type ContainerEndpoints = z.infer<typeof containerEndpoints>;

export const check = z.object({
  id: z.number().int().meta({ description: "unique among the checks of its endpoint" }),
  success: z.boolean(),
  observed: z
    .boolean()
    .meta({ description: "false: this host had no network or no resolver, so the check says nothing about the endpoint" }),
  response_time_ms: milliseconds,
  http_status: z.number().int().nullable(),
  failure_class: failureClass,
  error: z.string().nullable(),
  replayed: z.boolean(),
  timestamp,
});
export type CheckRecord = z.infer<typeof check>;

export const checkList = z.object({
  endpoint_id: z.number().int(),
  checks: z.array(check),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type CheckList = z.infer<typeof checkList>;

export const checkedNow = z.object({ endpoint, check });
export type CheckedNow = z.infer<typeof checkedNow>;

export const dailyUptime = z.object({
  days: z.array(z.object({ date: z.iso.date(), uptime_percent: percent, checks: z.number().int(), incidents: z.number().int() })),
});
export type DailyUptime = z.infer<typeof dailyUptime>;

const values = z.array(z.number().nullable());

export const responseTimes = z.object({
  endpoint_id: z.number().int(),
  range: z.enum(RANGE_NAMES),
  step_seconds: z.number().int(),
  series: z
    .object({
      timestamps: z.array(timestamp),
      response_time_ms: values.meta({ description: "mean of the checks that were answered" }),
      response_time_ms_max: values,
      checks: z.array(z.number().int()),
      failures: z.array(z.number().int()),
    })
    .meta({ description: "one value a step in each; null where no check was answered" }),
});
export type ResponseTimes = z.infer<typeof responseTimes>;

/** The same around a moment. */
export const responseTimesAround = responseTimes.omit({ range: true });
export type ResponseTimesAround = z.infer<typeof responseTimesAround>;

export const sparklines = z.object({
  endpoints: z.record(
    z.string(),
    z.object({
      points: values.meta({
        description: "response times of the last 30 checks in milliseconds, oldest first; null for one without an answer",
      }),
      status,
      uptime_24h: percent,
    }),
  ),
});
export type Sparklines = z.infer<typeof sparklines>;

export const endpointBulkAnswer = bulkAnswer("endpoints", {});
export type EndpointBulkAnswer = z.infer<typeof endpointBulkAnswer>;
