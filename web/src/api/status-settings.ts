import { queryOptions } from "@tanstack/react-query";
import type { SettingsRecord, SettingsUpdate } from "../../../src/publishing/status/settings/api.ts";
import { getJson, putJson } from "./client.ts";

const SETTINGS = "/api/v1/status/settings";

/** What the status page is called, how it looks, and whether it is published. */
export const statusSettingsQuery = queryOptions({
  queryKey: ["status", "settings"],
  queryFn: ({ signal }) => getJson<SettingsRecord>(SETTINGS, { signal }),
});

/** What is left out stays as it is. */
export function saveStatusSettings(body: SettingsUpdate): Promise<SettingsRecord> {
  return putJson<SettingsRecord>(SETTINGS, body);
}
