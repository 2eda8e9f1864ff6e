import { ALERT_STATUSES, type AlertStatus } from "../../../../src/contract/alert.ts";
import { SPANS_MS } from "../../../../src/contract/ranges.ts";
import type { AlertsFilter } from "../../api/alert-queries.ts";
import { oneOf, textParam } from "../../app/search-params.ts";
import { SEVERITIES, SOURCES, type AlertSource, type Severity } from "../../format/alert-words.ts";

/** How far back to look. */
export const PERIODS = {
  "1h": { label: "Last hour", ms: SPANS_MS["1h"] },
  "24h": { label: "Last 24 hours", ms: SPANS_MS["24h"] },
  "7d": { label: "Last 7 days", ms: SPANS_MS["7d"] },
  "30d": { label: "Last 30 days", ms: SPANS_MS["30d"] },
} as const;
export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = ["1h", "24h", "7d", "30d"] as const satisfies readonly Period[];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the address of the history says. Days are local ones. */
export interface HistoryFilter {
  source?: AlertSource | undefined;
  severity?: Severity | undefined;
  status?: AlertStatus | undefined;
  /** `container:42`. */
  entity?: string | undefined;
  period?: Period | "days" | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export function historyFilter(search: Record<string, unknown>): HistoryFilter {
  const entity = textParam(search["entity"]);
  return {
    source: oneOf(search["source"], SOURCES),
    severity: oneOf(search["severity"], SEVERITIES),
    status: oneOf(search["status"], ALERT_STATUSES),
    entity: entity !== undefined && readEntity(entity) !== undefined ? entity : undefined,
    period: oneOf(search["period"], [...PERIOD_NAMES, "days"]),
    from: dayParam(search["from"]),
    to: dayParam(search["to"]),
  };
}

function dayParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Whether anything is left out. */
export function isNarrowed({ source, severity, status, entity, period }: HistoryFilter): boolean {
  return [source, severity, status, entity, period].some((each) => each !== undefined);
}

/** `container:42` as its kind and its id. */
export function readEntity(text: string): { type: string; id: string } | undefined {
  const at = text.indexOf(":");
  return at > 0 && at < text.length - 1 ? { type: text.slice(0, at), id: text.slice(at + 1) } : undefined;
}

/** What the server is asked for. */
export function queryOf(filter: HistoryFilter, host: string | undefined): AlertsFilter {
  const { source, severity, status, period } = filter;
  const entity = filter.entity === undefined ? undefined : readEntity(filter.entity);
  return {
    source,
    severity,
    status,
    entity_type: entity?.type,
    entity_id: entity?.id,
    agent_id: host,
    lastMs: period === undefined || period === "days" ? undefined : PERIODS[period].ms,
    ...(period === "days" && {
      since: filter.from === undefined ? undefined : startOfDay(filter.from, 0),
      until: filter.to === undefined ? undefined : startOfDay(filter.to, 1),
    }),
  };
}

/** The beginning of a local day, or of the one `later` days after it. */
function startOfDay(day: string, later: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}
