import { SUBSCRIBER_STATUSES, type SubscriberStatus } from "../../../../src/contract/status-page.ts";
import { oneOf, textParam } from "../../app/search-params.ts";

/** Which form is open over the components: for a new component or group, or for the one with this id. */
export interface ComponentsSearch {
  create?: "component" | "group" | undefined;
  edit?: string | undefined;
  group?: string | undefined;
}

export function componentsSearch(search: Record<string, unknown>): ComponentsSearch {
  return {
    create: oneOf(search["create"], ["component", "group"]),
    edit: textParam(search["edit"]),
    group: textParam(search["group"]),
  };
}

export interface IncidentsSearch {
  create?: "yes" | undefined;
}

export function incidentsSearch(search: Record<string, unknown>): IncidentsSearch {
  return { create: oneOf(search["create"], ["yes"]) };
}

/** `month` is `2026-11`, `day` the one on which a new window is to begin. */
export interface MaintenanceSearch {
  month?: string | undefined;
  create?: "yes" | undefined;
  day?: string | undefined;
  edit?: string | undefined;
}

export function maintenanceSearch(search: Record<string, unknown>): MaintenanceSearch {
  return {
    month: textParam(search["month"]),
    create: oneOf(search["create"], ["yes"]),
    day: textParam(search["day"]),
    edit: textParam(search["edit"]),
  };
}

export interface SubscribersSearch {
  q?: string | undefined;
  status?: SubscriberStatus | undefined;
}

export function subscribersSearch(search: Record<string, unknown>): SubscribersSearch {
  return { q: textParam(search["q"]), status: oneOf(search["status"], SUBSCRIBER_STATUSES) };
}
