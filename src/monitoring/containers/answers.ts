import { z } from "zod";
import { LOG_STREAMS } from "../../contract/log.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { END_REASONS } from "./uptime.ts";
import { state, health, percent, container } from "./api.ts";

export const containerList = z.object({
  groups: z.array(z.object({ name: z.string(), source: container.shape.group_source, containers: z.array(container) })),
  total: z.number().int(),
  archived_count: z.number().int(),
  next_cursor: nextCursor,
});
export type ContainerList = z.infer<typeof containerList>;

const healthFailure = z
  .object({
    exit_code: z.number().int().meta({ description: "negative: it was not run to its end, such as after its timeout" }),
    output: z.string().meta({ description: "the last lines that it printed, at most 1,000 characters, with secrets masked" }),
    ended_at: timestamp,
  })
  .nullable();
export type HealthFailureRecord = z.infer<typeof healthFailure>;

export const containerDetail = container.extend({
  health_failure: healthFailure.meta({
    description:
      "the run of its health check by which it turned unhealthy; null while it is not unhealthy, and where the runtime did not show it",
  }),
  uptime: z.object({ "24h": percent, "7d": percent, "30d": percent, "90d": percent }),
});
export type ContainerDetail = z.infer<typeof containerDetail>;

export const transition = z.object({
  id: z.number().int(),
  container_id: z.number().int(),
  previous_state: state.nullable(),
  new_state: state,
  previous_health: health,
  new_health: health,
  exit_code: z.number().int().nullable(),
  oom_killed: z.boolean(),
  stop_requested: z.boolean().meta({ description: "an end that was asked for" }),
  log_snippet: z.string().nullable(),
  health_failure: healthFailure.meta({ description: "of one that turned unhealthy: the failed run of its health check" }),
  replayed: z.boolean(),
  timestamp,
});
export type TransitionRecord = z.infer<typeof transition>;

export const transitionList = z.object({
  container_id: z.number().int(),
  transitions: z.array(transition),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type TransitionList = z.infer<typeof transitionList>;

const generation = z.object({
  number: z.number().int().meta({ description: "1 for the first" }),
  agent_id: z
    .string()
    .nullable()
    .meta({ description: "Where it was: a slot of a swarm may move to another host. null: on the local host" }),
  external_id: z.string(),
  image: z.string(),
  image_digest: z.string().nullable(),
  created_at: timestamp.nullable(),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable().meta({ description: "null while it has not ended" }),
  end_reason: z.enum(END_REASONS).nullable().meta({
    description: "stopped: on request; removed: nobody saw how it ended; null while it has not ended",
  }),
});
export type GenerationRecord = z.infer<typeof generation>;

export const generationList = z.object({
  container_id: z.number().int(),
  generations: z.array(generation),
  total: z.number().int(),
  has_more: z.boolean(),
});
export type GenerationList = z.infer<typeof generationList>;

export const dailyUptime = z.object({
  days: z.array(
    z.object({
      date: z.iso.date(),
      uptime_percent: percent.meta({ description: "running and not unhealthy / time that counts; null when none does" }),
      observed_seconds: z.number().int().meta({
        description: "how long of the day it existed and its host was watched; 0: nothing is known of the day",
      }),
      incidents: z.number().int(),
    }),
  ),
  unobserved: z.array(z.object({ from: timestamp, to: timestamp.nullable().meta({ description: "null while it lasts" }) })).meta({
    description:
      "when it existed within these days and its host was not watched, oldest first; without what lasted less than a minute, and the 1,000 longest at most",
  }),
});
export type DailyUptime = z.infer<typeof dailyUptime>;

export const logLine = z.object({ timestamp: timestamp.nullable(), stream: z.enum(LOG_STREAMS), text: z.string() });
export type LogLineRecord = z.infer<typeof logLine>;

export const containerLogs = z.object({ container_id: z.number().int(), lines: z.array(logLine), truncated: z.boolean() });
export type ContainerLogs = z.infer<typeof containerLogs>;
