import type { z } from "zod";
import { bulkBody, callerKey } from "../../../http/bulk.ts";
import { createBody } from "../api.ts";
import { faultsOfSettings } from "../settings.ts";

/** A heartbeat as one of many; what is left out takes its default. */
const item = createBody.extend({ key: callerKey }).superRefine(({ key: _, ...settings }, context) => {
  for (const { path, message } of faultsOfSettings(settings)) context.addIssue({ code: "custom", path: [path], message });
});
export type HeartbeatItem = z.infer<typeof item>;

export const heartbeatBulkBody = bulkBody("heartbeats", item);
