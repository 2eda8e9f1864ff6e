import { FIELD_FILTER_BOUNDS } from "../../../../src/contract/field-filter.ts";
import { LOG_LEVEL_FILTERS } from "../../../../src/contract/log.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/contract/time.ts";
import type { LogLineFilter } from "../../api/logs.ts";
import { momentParam, oneOf, textParam } from "../../app/search-params.ts";
import { columnNames } from "./column-names.ts";

/** How far back to look. */
export const PERIODS = {
  "15m": { label: "Last 15 minutes", ms: 15 * MINUTE_MS },
  "1h": { label: "Last hour", ms: HOUR_MS },
  "6h": { label: "Last 6 hours", ms: 6 * HOUR_MS },
  "24h": { label: "Last 24 hours", ms: DAY_MS },
  "7d": { label: "Last 7 days", ms: 7 * DAY_MS },
  all: { label: "All there is", ms: undefined },
} as const;
export type Period = keyof typeof PERIODS;
// The keys of a literal are its type's.
export const PERIOD_NAMES = Object.keys(PERIODS) as Period[];
export const FIRST_PERIOD: Period = "24h";

/** What the address of the page says; what is absent narrows nothing. */
export interface LogsFilter {
  q?: string | undefined;
  level?: (typeof LOG_LEVEL_FILTERS)[number] | undefined;
  /** Conditions on the fields of lines, as they are written. */
  fields?: string | undefined;
  /** Lines unless it says otherwise. */
  view?: "patterns" | undefined;
  /** Which fields are columns. */
  columns?: string[] | undefined;
  group?: string | undefined;
  /** A container's id. */
  container?: string | undefined;
  period?: Period | undefined;
  /** A span of time instead of a period. */
  since?: string | undefined;
  until?: string | undefined;
}

export function logsFilter(search: Record<string, unknown>): LogsFilter {
  const { fields } = search;
  const container = textParam(search["container"]);
  return {
    q: textParam(search["q"]),
    level: oneOf(search["level"], LOG_LEVEL_FILTERS),
    fields: typeof fields === "string" && fields !== "" ? fields.slice(0, FIELD_FILTER_BOUNDS.maxLength) : undefined,
    view: oneOf(search["view"], ["patterns"] as const),
    columns: columnNames(search["columns"]),
    group: textParam(search["group"]),
    container: container !== undefined && /^[1-9]\d{0,14}$/.test(container) ? container : undefined,
    period: oneOf(search["period"], PERIOD_NAMES),
    since: momentParam(search["since"]),
    until: momentParam(search["until"]),
  };
}

/** Whether anything but the time narrows the lines. */
export function isNarrowed({ q, level, fields, group, container }: LogsFilter): boolean {
  return [q, level, fields, group, container].some((each) => each !== undefined);
}

/** What the server is asked for. */
export function queryOf(
  { q, level, fields, group, container, period = FIRST_PERIOD, since, until }: LogsFilter,
  host?: string,
): LogLineFilter {
  const hasSpan = since !== undefined || until !== undefined;
  return {
    q,
    level,
    fields,
    group,
    container_id: container === undefined ? undefined : Number(container),
    agent_id: host,
    since,
    until,
    lastMs: hasSpan ? undefined : PERIODS[period].ms,
  };
}
