import { z } from "zod";
import { HEARTBEAT_REASONS, PING_KINDS } from "../../events.ts";
import { shownKey, bulkAnswer } from "../../http/bulk.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { status, schedule } from "./api.ts";

const exitCode = z.number().int().min(0).max(255).nullable();
const rid = z.uuid().nullable();

export const heartbeat = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  uuid: z.uuid().meta({ description: "the only credential of its ping URL" }),
  name: z.string(),
  key: shownKey,
  tags: z.array(z.string()),
  schedule,
  interval_seconds: z.number().int().nullable().meta({ description: "null with a cron schedule" }),
  cron: z.string().nullable().meta({ description: "five fields; null with an interval" }),
  timezone: z.string().meta({ description: "IANA name; the zone in which the cron line is read" }),
  grace_seconds: z.number().int(),
  max_runtime_seconds: z.number().int().nullable(),
  status,
  status_changed_at: timestamp,
  reason: z
    .enum(HEARTBEAT_REASONS)
    .nullable()
    .meta({ description: "what went wrong; stays until a success, also while the next run is under way; null when nothing is wrong" }),
  failing_since: timestamp.nullable(),
  last_ping_at: timestamp.nullable(),
  next_expected_at: timestamp
    .nullable()
    .meta({ description: "when the schedule expects the next ping; null while down or paused, and before the first ping" }),
  next_deadline_at: timestamp
    .nullable()
    .meta({ description: "when it is late: expected time and grace, or the end of a run's max runtime" }),
  current_run_started_at: timestamp.nullable().meta({ description: "of the oldest run under way" }),
  open_runs: z.number().int().meta({ description: "runs under way; several when they overlap with different rids" }),
  last_exit_code: exitCode,
  last_duration_ms: z.number().int().nullable(),
  recent_outcomes: z
    .array(z.enum(["success", "failure", "timeout", "missed"]))
    .meta({ description: "how the last runs ended, oldest first, at most 20; `missed`: a deadline without a ping" }),
  ping_url: z.url(),
  created_at: timestamp,
  updated_at: timestamp.meta({ description: "of its settings" }),
});
export type HeartbeatRecord = z.infer<typeof heartbeat>;

export const heartbeatList = z.object({ heartbeats: z.array(heartbeat), total: z.number().int(), next_cursor: nextCursor });
export type HeartbeatList = z.infer<typeof heartbeatList>;

export const snippets = z.object({
  curl: z.string(),
  wget: z.string(),
  crontab: z.string(),
  systemd: z.string(),
  powershell: z.string(),
  python: z.string(),
  github_actions: z.string(),
  kubernetes_cronjob: z.string(),
});
export type Snippets = z.infer<typeof snippets>;

export const heartbeatDetail = z.object({ heartbeat, snippets });
export type HeartbeatDetail = z.infer<typeof heartbeatDetail>;

export const ping = z.object({
  id: z.number().int(),
  kind: z.enum(PING_KINDS),
  exit_code: exitCode,
  rid,
  source_ip: z.string(),
  method: z.string(),
  user_agent: z.string().nullable(),
  body: z.string().nullable().meta({ description: "the first 10 KB, read as UTF-8" }),
  timestamp,
});
export type PingRecord = z.infer<typeof ping>;

export const pingList = z.object({
  heartbeat_id: z.number().int(),
  pings: z.array(ping),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type PingList = z.infer<typeof pingList>;

export const execution = z.object({
  id: z.number().int(),
  started_at: timestamp.nullable().meta({ description: "null when its start was not reported" }),
  ended_at: timestamp.nullable(),
  duration_ms: z.number().int().nullable(),
  exit_code: exitCode,
  outcome: z.enum(["success", "failure", "timeout", "running"]),
  rid,
});
export type ExecutionRecord = z.infer<typeof execution>;

export const executionList = z.object({
  heartbeat_id: z.number().int(),
  executions: z.array(execution),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type ExecutionList = z.infer<typeof executionList>;

export const dailyUptime = z.object({
  days: z.array(
    z.object({
      date: z.iso.date().meta({ description: "UTC" }),
      uptime_percent: z
        .number()
        .min(0)
        .max(100)
        .nullable()
        .meta({ description: "null when it was new, paused, or could not be pinged all day" }),
      checks: z.number().int().meta({ description: "runs that ended by a ping" }),
      incidents: z.number().int().meta({ description: "how often it went wrong" }),
    }),
  ),
});
export type DailyUptime = z.infer<typeof dailyUptime>;

export const pinged = z.object({ ok: z.literal(true) });

export const heartbeatBulkAnswer = bulkAnswer("heartbeats", { ping_url: z.url() });
export type HeartbeatBulkAnswer = z.infer<typeof heartbeatBulkAnswer>;
