import { queryOptions } from "@tanstack/react-query";
import type { SettingsUpdate } from "../../../src/publishing/status/settings/api.ts";
import type { SettingsRecord } from "../../../src/publishing/status/settings/answers.ts";
import { request } from "./client.ts";

/** What the status page is called, how it looks, and whether it is published. */
export const statusSettingsQuery = queryOptions({
  queryKey: ["status", "settings"],
  queryFn: ({ signal }) => request("GET /api/v1/status/settings", { signal }),
});

/** What is left out stays as it is. */
export function saveStatusSettings(body: SettingsUpdate): Promise<SettingsRecord> {
  return request("PUT /api/v1/status/settings", { body });
}
