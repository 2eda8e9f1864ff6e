import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  MaintenanceBody,
  MaintenanceList,
  MaintenanceRecord,
  MaintenanceUpdate,
  MatchersBody,
  Preview,
  SilenceBody,
  SilenceList,
  SilenceRecord,
} from "../../../src/alerting/suppression/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";

const SILENCES = "/api/v1/silence";
const WINDOWS = "/api/v1/status/maintenance";

/** All silences: those in force and those to come, the next to end first, then those that are over. */
export const silencesQuery = queryOptions({
  queryKey: ["silences"],
  queryFn: ({ signal }) => getJson<SilenceList>(SILENCES, { signal, parameters: { all: true } }),
});

/** The active alerts that a silence of these matchers would match. Its key begins with `alerts`: it changes as they do. */
export function silencePreviewQuery(matchers: MatchersBody) {
  return queryOptions({
    queryKey: ["alerts", "silence-preview", matchers],
    queryFn: () => postJson<Preview>(`${SILENCES}/preview`, { matchers }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    gcTime: 30_000,
    retry: false,
  });
}

export function createSilence(body: SilenceBody): Promise<SilenceRecord> {
  return postJson<SilenceRecord>(SILENCES, body);
}

/** It ends now; its record stays. */
export function cancelSilence(id: number): Promise<void> {
  return deleteJson(`${SILENCES}/${id}`);
}

/** Maintenance windows: running ones, the next to begin, those that are over. */
export const maintenanceQuery = queryOptions({
  queryKey: ["maintenance"],
  queryFn: ({ signal }) => getJson<MaintenanceList>(WINDOWS, { signal }),
});

export function createWindow(body: MaintenanceBody): Promise<MaintenanceRecord> {
  return postJson<MaintenanceRecord>(WINDOWS, body);
}

/** What is left out stays as it is. */
export function updateWindow(id: number, body: MaintenanceUpdate): Promise<MaintenanceRecord> {
  return putJson<MaintenanceRecord>(`${WINDOWS}/${id}`, body);
}

export function deleteWindow(id: number): Promise<void> {
  return deleteJson(`${WINDOWS}/${id}`);
}
