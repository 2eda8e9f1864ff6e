import { z } from "zod";
import { HEARTBEAT_BOUNDS, HEARTBEAT_STATUSES } from "../../contract/heartbeat.ts";
import { bulkBody, callerKey } from "../../http/bulk.ts";
import { type CursorPage, cursorPaging } from "../../http/cursor.ts";
import { sorting, type Sorting } from "../../http/sorting.ts";
import { agentFilter, pathId, paging, wholeNumber } from "../../http/schemas.ts";
import { line, lineWithoutComma, text } from "../../http/texts.ts";
import { cleanName } from "../../platform/text.ts";
import { faultsOfSettings } from "./settings.ts";

export const status = z.enum(HEARTBEAT_STATUSES);
export const schedule = z.enum(["interval", "cron"]);

export const heartbeatParams = z.strictObject({ id: pathId });

const listFilter = z.strictObject({
  status: status.optional(),
  search: text(255).optional().meta({ description: "part of the name or of a tag, in any case" }),
  agent_id: agentFilter,
});
export type ListFilter = z.infer<typeof listFilter>;

export const SORT_KEYS = ["name", "status", "last_ping", "next_expected", "duration"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const listQuery = listFilter.extend({ ...sorting(SORT_KEYS), ...cursorPaging() });
export type ListQuery = ListFilter & CursorPage & Sorting<SortKey>;

export const pageQuery = z.strictObject(paging({ limit: 100 }));
export type PageQuery = z.infer<typeof pageQuery>;

export const uptimeQuery = z.strictObject({ days: wholeNumber({ min: 1, max: 365 }).default(90) });

const settings = {
  name: line(HEARTBEAT_BOUNDS.nameLength),
  schedule,
  interval_seconds: z.number().int().min(HEARTBEAT_BOUNDS.intervalSeconds.min).max(HEARTBEAT_BOUNDS.intervalSeconds.max).nullable(),
  cron: text(HEARTBEAT_BOUNDS.cronLength)
    .nullable()
    .meta({ examples: ["0 3 * * *"] }),
  timezone: text(64).meta({ examples: ["UTC", "Europe/Berlin"] }),
  grace_seconds: z.number().int().min(HEARTBEAT_BOUNDS.graceSeconds.min).max(HEARTBEAT_BOUNDS.graceSeconds.max),
  max_runtime_seconds: z.number().int().min(HEARTBEAT_BOUNDS.maxRuntimeSeconds.min).max(HEARTBEAT_BOUNDS.maxRuntimeSeconds.max).nullable(),
  tags: z.array(lineWithoutComma(HEARTBEAT_BOUNDS.tagLength)).max(HEARTBEAT_BOUNDS.tags),
};

/** `schedule` may be left out where one of `interval_seconds` and `cron` says it. */
export const createBody = z
  .strictObject({ ...settings })
  .partial()
  .required({ name: true });
export type CreateBody = z.infer<typeof createBody>;

/** What is left out stays as it is. */
export const updateBody = z.strictObject(settings).partial();
export type UpdateBody = z.infer<typeof updateBody>;

function noExitCode({ input }: { input?: unknown }): string {
  return `"${cleanName(String(input), 40)}" is not an exit code: a whole number from 0 to 255, or start, fail or log`;
}

/** What is no UUID is the address of no heartbeat. */
const pingUuid = text(255);
export const pingParams = z.strictObject({ uuid: pingUuid });
export const exitCodeParams = z.strictObject({ uuid: pingUuid, exit_code: wholeNumber({ min: 0, max: 255, error: noExitCode }) });
export const pingQuery = z.looseObject({
  rid: z.uuid("Must be a UUID").optional().meta({ description: "ties the start and the end of overlapping runs" }),
});

/** A heartbeat as one of many; what is left out takes its default. */
const item = createBody.extend({ key: callerKey }).superRefine(({ key: _, ...given }, context) => {
  for (const { path, message } of faultsOfSettings(given)) context.addIssue({ code: "custom", path: [path], message });
});
export type HeartbeatItem = z.infer<typeof item>;

export const heartbeatBulkBody = bulkBody("heartbeats", item);
