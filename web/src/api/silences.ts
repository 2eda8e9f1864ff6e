import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { MaintenanceBody, MaintenanceUpdate, MatchersBody, SilenceBody } from "../../../src/alerting/suppression/api.ts";
import type { MaintenanceRecord, SilenceRecord } from "../../../src/alerting/suppression/answers.ts";
import { SCOPES } from "../../../src/contract/scope.ts";
import { request } from "./client.ts";

/** All silences: those in force and those to come, the next to end first, then those that are over. */
export const silencesQuery = queryOptions({
  queryKey: ["silences"],
  queryFn: ({ signal }) => request("GET /api/v1/silence", { signal, query: { all: true } }),
});

/** When the silence of each group ends that is in force and keeps all of it quiet, by the group's name. */
export const silencedGroupsQuery = queryOptions({
  queryKey: ["silences", "groups"],
  queryFn: ({ signal }) => request("GET /api/v1/silence", { signal }),
  select({ silences }) {
    const ends = new Map<string, string>();
    // The next to end comes first.
    for (const { matchers, status, ends_at } of silences) {
      const { entity_type: type, entity_id: id, ...others } = matchers;
      if (status === "active" && type === SCOPES.group && id !== undefined && Object.keys(others).length === 0) ends.set(id, ends_at);
    }
    return ends;
  },
});

/** The active alerts that a silence of these matchers would match. Its key begins with `alerts`: it changes as they do. */
export function silencePreviewQuery(matchers: MatchersBody) {
  return queryOptions({
    queryKey: ["alerts", "silence-preview", matchers],
    queryFn: () => request("POST /api/v1/silence/preview", { body: { matchers } }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    gcTime: 30_000,
    retry: false,
  });
}

export function createSilence(body: SilenceBody): Promise<SilenceRecord> {
  return request("POST /api/v1/silence", { body });
}

/** It ends now; its record stays. */
export function cancelSilence(id: number): Promise<void> {
  return request("DELETE /api/v1/silence/{id}", { params: { id } });
}

/** Maintenance windows: running ones, the next to begin, those that are over. */
export const maintenanceQuery = queryOptions({
  queryKey: ["maintenance"],
  queryFn: ({ signal }) => request("GET /api/v1/status/maintenance", { signal }),
});

export function createWindow(body: MaintenanceBody): Promise<MaintenanceRecord> {
  return request("POST /api/v1/status/maintenance", { body });
}

/** What is left out stays as it is. */
export function updateWindow(id: number, body: MaintenanceUpdate): Promise<MaintenanceRecord> {
  return request("PUT /api/v1/status/maintenance/{id}", { params: { id }, body });
}

export function deleteWindow(id: number): Promise<void> {
  return request("DELETE /api/v1/status/maintenance/{id}", { params: { id } });
}
