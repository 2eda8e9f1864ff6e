import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { settingFields, shownSettings } from "./setting-schemas.ts";
import { CHECK_SETTINGS, HTTP_SETTINGS } from "../../contract/check-settings.ts";
import { RANGE_NAMES } from "../../contract/ranges.ts";
import {
  CHECK_METHODS,
  DEFAULT_EXPECTED_STATUS,
  ENDPOINT_BOUNDS,
  ENDPOINT_SOURCES,
  ENDPOINT_STATUSES,
  ENDPOINT_TYPES,
  EXPECTED_STATUS,
  HEADER_NAME,
  OWN_HEADERS,
} from "../../contract/endpoint.ts";
import { parseHostPort, parseHttpUrl } from "../../contract/targets.ts";
import { shownKey } from "../../http/bulk.ts";
import { type CursorPage, cursorPaging, nextCursor } from "../../http/cursor.ts";
import { sorting, type Sorting } from "../../http/sorting.ts";
import { agentFilter, paging, pathId, queryFlag, timestamp, wholeNumber } from "../../http/schemas.ts";
import { DECLARED, line, text, UNRESERVED_KEY, wordInAnyCase } from "../../http/texts.ts";

const status = z.enum(ENDPOINT_STATUSES);
const type = z.enum(ENDPOINT_TYPES);
const source = z.enum(ENDPOINT_SOURCES);
const severity = z.enum(SEVERITIES);
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
    .meta({ description: "of all that fit, not of this page alone" }),
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
  observed: z.boolean().meta({ description: "false: this host had no network or no resolver, which says nothing of the endpoint" }),
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

const seconds = ({ min, max, default: otherwise }: { min: number; max: number; default: number }) =>
  z.number().int().min(min).max(max).default(otherwise);

const headerName = z
  .string()
  .regex(HEADER_NAME, "Is not a header name")
  .refine((name) => !OWN_HEADERS.test(name), "Frames a message, and cannot be set")
  .meta(UNRESERVED_KEY);
const headerValue = text(4096).regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "Holds characters that a header cannot carry");

const headers = z
  .record(headerName, headerValue)
  .refine((pairs) => Object.keys(pairs).length <= ENDPOINT_BOUNDS.headers, {
    error: `Must not have more than ${ENDPOINT_BOUNDS.headers} headers`,
    params: DECLARED,
  })
  .meta({ maxProperties: ENDPOINT_BOUNDS.headers });

const expectedStatus = z
  .array(z.string().regex(EXPECTED_STATUS, "Must be a status such as 204, or a class such as 2xx").toLowerCase())
  .min(1)
  .max(ENDPOINT_BOUNDS.statuses)
  .transform((statuses) => [...new Set(statuses)]);

const target = text(2048)
  .regex(/^\s*\S/, "Must not be empty")
  .trim();

const common = {
  name: line(ENDPOINT_BOUNDS.name).optional().meta({ description: "default: the target" }),
  interval_seconds: seconds(ENDPOINT_BOUNDS.interval),
  timeout_seconds: z
    .number()
    .int()
    .min(ENDPOINT_BOUNDS.timeout.min)
    .max(ENDPOINT_BOUNDS.timeout.max)
    .optional()
    .meta({ description: "default: 10, or the interval when that is shorter" }),
  ...settingFields(CHECK_SETTINGS),
  alert_severity: severity.default("critical"),
  alert_channels: z.array(line(ENDPOINT_BOUNDS.text)).max(20).default([]),
  alert_tags: z.array(line(ENDPOINT_BOUNDS.text)).max(20).default([]),
};

export const httpBody = z.strictObject({
  type: z.literal("http"),
  target: target
    .refine((given) => parseHttpUrl(given) !== undefined, "Must be a URL that begins with http:// or https://")
    .meta({ description: "credentials in it are used, and never shown again", examples: ["https://example.com/health"] }),
  ...common,
  method: wordInAnyCase(CHECK_METHODS).default("GET"),
  expected_status: expectedStatus.default([DEFAULT_EXPECTED_STATUS]),
  headers: headers.default({}),
  ...settingFields(HTTP_SETTINGS),
});

export const tcpBody = z.strictObject({
  type: z.literal("tcp"),
  target: target
    .refine((given) => parseHostPort(given) !== undefined, "Must be host:port, with a port from 1 to 65535")
    .meta({ examples: ["db.example.com:5432"] }),
  ...common,
});

/** A check is over before the next one begins. */
export function withinInterval<Body extends z.ZodType<{ interval_seconds: number; timeout_seconds?: number | undefined }>>(body: Body) {
  return body.refine(({ interval_seconds, timeout_seconds = 0 }) => timeout_seconds <= interval_seconds, {
    path: ["timeout_seconds"],
    message: "Must not be longer than interval_seconds",
  });
}

/** A standalone endpoint. In a PUT, a masked value of `target` or `headers` keeps what it stands for. */
export const endpointBody = withinInterval(z.discriminatedUnion("type", [httpBody, tcpBody]));
export type EndpointBody = z.infer<typeof endpointBody>;

export const endpointParams = z.strictObject({ id: pathId });

const listFilter = z.strictObject({
  status: status.optional(),
  type: type.optional(),
  source: source.optional(),
  container_id: pathId.optional(),
  search: text(255).optional().meta({ description: "part of the name, the target or the container, in any case" }),
  inactive: queryFlag.default(false).meta({ description: "those whose label is gone instead of the others" }),
  agent_id: agentFilter,
});
export type ListFilter = z.infer<typeof listFilter>;

export const SORT_KEYS = ["name", "target", "status", "response_time", "uptime", "since"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const listQuery = listFilter.extend({ ...sorting(SORT_KEYS), ...cursorPaging() });
export type ListQuery = ListFilter & CursorPage & Sorting<SortKey>;

export const checkQuery = z.strictObject({
  since: timestamp.optional().meta({ description: "default: 24 hours ago" }),
  until: timestamp.optional(),
  ...paging({ limit: 100 }),
});

export const uptimeQuery = z.strictObject({ days: wholeNumber({ min: 1, max: 365 }).default(90) });
export const responseTimesQuery = z.strictObject({ range: z.enum(RANGE_NAMES).default("24h") });
export const sparklinesQuery = z.strictObject({ agent_id: agentFilter });
