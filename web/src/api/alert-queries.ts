import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AcknowledgeBody, ListQuery, ResolveBody } from "../../../src/alerting/alerts/api.ts";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../../src/alerting/deliveries/answers.ts";
import type { MatchersBody, SilenceBody } from "../../../src/alerting/suppression/api.ts";
import type { SilenceRecord } from "../../../src/alerting/suppression/answers.ts";
import type { SilenceCovers } from "./alert-acts.ts";
import { request } from "./client.ts";
import { timeAgo } from "./server-clock.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

/** How many alerts of the past are read at a time. */
const PAGE = 50;

/** Every alert that is not over, worst first. */
export const activeAlertsQuery = queryOptions({
  queryKey: ["alerts", "active"],
  meta: WHOLE_LIST,
  queryFn: ({ client, queryKey, signal }) =>
    readWholeList({
      client,
      queryKey,
      read: (cursor) => request("GET /api/v1/alerts/active", { query: { cursor }, signal }),
      join: (list, next) => ({ ...next, alerts: [...list.alerts, ...next.alerts] }),
    }),
});

/** The last log line of active alerts, and what changed before each. Its key begins with `alerts`: it is read again as they change. */
export const alertContextsQuery = queryOptions({
  queryKey: ["alerts", "active-context"],
  queryFn: ({ signal }) => request("GET /api/v1/alerts/active/context", { signal }),
});

/** What narrows the past; what is left out does not. `lastMs` counts back from when it is read. */
export type AlertsFilter = { [Name in keyof Omit<ListQuery, "limit" | "offset">]?: ListQuery[Name] | undefined } & {
  lastMs?: number | undefined;
};

/** All alerts, latest first, page by page. */
export function alertsQuery(filter: AlertsFilter) {
  return infiniteQueryOptions({
    queryKey: ["alerts", "all", filter],
    queryFn: ({ signal, pageParam: offset }) => {
      const { lastMs, ...narrow } = filter;
      const since = lastMs === undefined ? narrow.since : timeAgo(lastMs);
      return request("GET /api/v1/alerts", { signal, query: { ...narrow, since, limit: PAGE, offset: offset || undefined } });
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
}

/** One alert. Everything read about one has a key that begins with `["alert", id]`. */
export function alertQuery(id: number) {
  return queryOptions({
    queryKey: ["alert", id, "detail"],
    queryFn: ({ signal }) => request("GET /api/v1/alerts/{id}", { params: { id }, signal }),
  });
}

/** Why somebody was notified of it, or was not. */
export function alertTraceQuery(id: number) {
  return queryOptions({
    queryKey: ["alert", id, "trace"],
    queryFn: ({ signal }) => request("GET /api/v1/alerts/{id}/trace", { params: { id }, signal }),
  });
}

/** Why it was raised, as far as records say, with what is known of the time around it. */
export function alertCaseQuery(id: number) {
  return queryOptions({
    queryKey: ["alert", id, "case"],
    queryFn: ({ signal }) => request("GET /api/v1/alerts/{id}/case", { params: { id }, signal }),
  });
}

export function acknowledgeAlert(id: number, body: AcknowledgeBody): Promise<ShownAlert> {
  return request("POST /api/v1/alerts/{id}/acknowledge", { params: { id }, body, keepalive: true });
}

export function resolveAlert(id: number, body: ResolveBody): Promise<ShownAlert> {
  return request("POST /api/v1/alerts/{id}/resolve", { params: { id }, body, keepalive: true });
}

/** Silences one problem of one thing, and no other, until then. */
export function silenceAlert(
  alert: ShownAlert,
  { by, until, covers = "alert" }: { by: string; until: string; covers?: SilenceCovers | undefined },
): Promise<SilenceRecord> {
  const { source, event, entity_type, entity_id, entity_name } = alert;
  return covers === "entity"
    ? silenceEntity({ entity_type, entity_id }, { reason: `Silenced: all alerts of ${entity_name}`, by, until })
    : silenceEntity({ source, event, entity_type, entity_id }, { reason: `Silenced: ${alert.message}`, by, until });
}

/** Silences the alerts that match, until then. */
export function silenceEntity(
  matchers: MatchersBody,
  { reason, by, until }: { reason: string; by: string; until: string },
): Promise<SilenceRecord> {
  const body: SilenceBody = {
    // The server takes longer reasons than this, and none that has a half of a character.
    reason: [...reason].slice(0, 200).join(""),
    ends_at: until,
    matchers,
    ...(by !== "" && { created_by: by }),
  };
  return request("POST /api/v1/silence", { body, keepalive: true });
}

/** The escalations that it began. Only some editions have them. */
export function alertEscalationsQuery(id: number) {
  return queryOptions({
    queryKey: ["alert", id, "escalations"],
    queryFn: ({ signal }) => request("GET /api/v1/alerts/{id}/escalation-runs", { params: { id }, signal }),
  });
}

/** One escalation with what it sent. */
export function escalationRunQuery(alertId: number, id: number) {
  return queryOptions({
    queryKey: ["alert", alertId, "escalation", id],
    queryFn: ({ signal }) => request("GET /api/v1/escalation-runs/{id}", { params: { id }, signal }),
  });
}

/** The names of channels, for lists of deliveries. */
export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: ({ signal }) => request("GET /api/v1/channels", { signal }),
});

/** Sends a message once more, as a separate delivery. */
export function replayDelivery(id: number): Promise<DeliveryRecord> {
  return request("POST /api/v1/deliveries/{id}/replay", { params: { id } });
}
