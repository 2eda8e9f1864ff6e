import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { bulkBody, callerKey } from "../../http/bulk.ts";
import { CHECK_SETTINGS, type CheckSetting, HTTP_SETTINGS, type SettingTable, type ValueOf } from "../../contract/check-settings.ts";
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
import { type CursorPage, cursorPaging } from "../../http/cursor.ts";
import { sorting, type Sorting } from "../../http/sorting.ts";
import { agentFilter, paging, pathId, queryFlag, timestamp, wholeNumber } from "../../http/schemas.ts";
import { DECLARED, line, text, UNRESERVED_KEY, wordInAnyCase } from "../../http/texts.ts";

export const status = z.enum(ENDPOINT_STATUSES);
export const type = z.enum(ENDPOINT_TYPES);
export const source = z.enum(ENDPOINT_SOURCES);
export const severity = z.enum(SEVERITIES);

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

const httpBody = z.strictObject({
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

const tcpBody = z.strictObject({
  type: z.literal("tcp"),
  target: target
    .refine((given) => parseHostPort(given) !== undefined, "Must be host:port, with a port from 1 to 65535")
    .meta({ examples: ["db.example.com:5432"] }),
  ...common,
});

/** A check is over before the next one begins. */
function withinInterval<Body extends z.ZodType<{ interval_seconds: number; timeout_seconds?: number | undefined }>>(body: Body) {
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
  status: status.optional().meta({
    description: "one that is only the last known to be up counts as unknown: its host is disconnected, or its checks see nothing",
  }),
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
export const responsesAroundQuery = z.strictObject({
  at: timestamp.meta({
    description: "the moment; checks from half an hour before it, or of 12 intervals, to half an hour after are answered",
  }),
});
export const sparklinesQuery = z.strictObject({ agent_id: agentFilter });

const key = { key: callerKey };

/** A standalone endpoint as one of many. A masked value of `target` or `headers` keeps what it stands for. */
const item = withinInterval(z.discriminatedUnion("type", [httpBody.extend(key), tcpBody.extend(key)]));
export type EndpointItem = z.infer<typeof item>;

export const endpointBulkBody = bulkBody("endpoints", item);

type Shown<Table extends SettingTable, Absent> = { [Key in keyof Table as Table[Key]["name"]]: z.ZodType<ValueOf<Table[Key]> | Absent> };
type Fields<Table extends SettingTable> = {
  [Key in keyof Table as Table[Key]["name"]]: z.ZodDefault<z.ZodType<ValueOf<Table[Key]>, ValueOf<Table[Key]>>>;
};

/** The settings of a table as a record shows them; with `absent` null where they are not of its kind. */
export function shownSettings<Table extends SettingTable, Absent = never>(table: Table, absent?: Absent): Shown<Table, Absent> {
  const schemas = Object.values(table).map((setting) => {
    const schema = shownSchema(setting);
    return [setting.name, absent === null ? schema.nullable() : schema];
  });
  // Names and kinds are the table's.
  return Object.fromEntries(schemas) as Shown<Table, Absent>;
}

/** The settings of a table as a body gives them. */
function settingFields<Table extends SettingTable>(table: Table): Fields<Table> {
  // Names and kinds are the table's.
  return Object.fromEntries(Object.values(table).map((setting) => [setting.name, fieldSchema(setting)])) as Fields<Table>;
}

function shownSchema({ kind }: CheckSetting): z.ZodType {
  if (kind === "number") return z.number().int();
  return kind === "flag" ? z.boolean() : z.string().nullable();
}

function fieldSchema(setting: CheckSetting): z.ZodType {
  switch (setting.kind) {
    case "number":
      return z.number().int().min(setting.min).max(setting.max).default(setting.default);
    case "flag":
      return z.boolean().default(setting.default);
    case "text":
      return text(setting.maxLength)
        .regex(/^[^\0]*[^\s\ufeff\0][^\0]*$/, "Must not be empty, nor have a NUL character")
        .nullable()
        .default(setting.default)
        .meta({ description: "matched exactly, including white space" });
  }
}
