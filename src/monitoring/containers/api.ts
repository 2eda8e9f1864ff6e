import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { LOG_LINES } from "../../contract/log.ts";
import { CONTAINER_STATES } from "../../events.ts";
import { type CursorPage, cursorPaging } from "../../http/cursor.ts";
import { sorting, type Sorting } from "../../http/sorting.ts";
import { agentFilter, paging, pathId, queryFlag, timestamp, wholeNumber } from "../../http/schemas.ts";
import { text } from "../../http/texts.ts";
import { GROUP_SOURCES } from "./container.ts";

export const state = z.enum(CONTAINER_STATES);
export const health = z.enum(["healthy", "unhealthy", "starting"]).nullable();
const severity = z.enum(SEVERITIES);
export const percent = z.number().min(0).max(100).nullable();

export const container = z.object({
  id: z.number().int(),
  agent_id: z.uuid().nullable(),
  external_id: z.string().meta({ description: "the runtime's identifier of the container that is there now, or was last" }),
  generation: z.number().int().min(1).meta({ description: "how many containers there have been in this place, this one too" }),
  recreated_at: timestamp.nullable().meta({ description: "when this one took the place of the one before; null for the first" }),
  name: z.string(),
  image: z.string(),
  image_digest: z.string().nullable(),
  state,
  health,
  exit_code: z.number().int().nullable(),
  oom_killed: z.boolean(),
  stop_requested: z.boolean().meta({ description: "its last end was asked for, by a stop or a kill" }),
  error_detail: z.string().nullable(),
  group: z.string(),
  group_source: z.enum(GROUP_SOURCES),
  unit: z.string().nullable(),
  is_ignored: z.boolean(),
  restart_count: z.number().int().meta({ description: "restarts by policy since the container was created" }),
  restart_threshold: z.number().int(),
  restart_loop: z.object({ severity, restarts: z.number().int(), since: timestamp }).nullable().meta({
    description: "unexpected restarts within 10 minutes, once they reach the threshold; until 10 minutes without one were watched",
  }),
  alert_severity: severity,
  alert_channels: z.array(z.string()),
  alert_tags: z.array(z.string()),
  label_errors: z.array(z.object({ label: z.string(), message: z.string() })),
  ports: z.array(
    z.object({
      container_port: z.number().int(),
      protocol: z.enum(["tcp", "udp", "sctp"]),
      host_ip: z.string().nullable(),
      host_port: z.number().int().nullable(),
    }),
  ),
  network_mode: z.string().nullable(),
  privileged: z.boolean(),
  labels: z.record(z.string(), z.string()).meta({ description: "values that look secret are masked" }),
  runtime: z.enum(["docker", "swarm", "kubernetes"]),
  created_at: timestamp.nullable(),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  first_seen_at: timestamp,
  last_state_change_at: timestamp,
  archived_at: timestamp.nullable(),
  resources: z
    .object({
      cpu_percent: percent,
      memory_bytes: z.number().min(0).nullable(),
      memory_percent: percent,
      timestamp,
    })
    .nullable()
    .meta({ description: "what it uses, by the last tick; null while it does not run or cannot be read" }),
  uptime_24h: percent.meta({ description: "running and not unhealthy / time that counts; null when none does" }),
});
export type ContainerRecord = z.infer<typeof container>;

export const generationQuery = z.strictObject(paging({ limit: 20 }));

export interface LogStreamEnd {
  reason: "container_stopped" | "container_removed" | "runtime_lost" | "unreadable" | "slow_client";
  message: string | null;
}

/** Lines of a followed log that came before the next one, and were left out. */
export interface LinesOmitted {
  lines: number;
}

export const containerParams = z.object({ id: pathId });

const listFilter = z.strictObject({
  state: state.optional(),
  health: z.enum(["healthy", "unhealthy", "starting", "none"]).optional(),
  group: text(255).optional(),
  search: text(255).optional().meta({ description: "part of the name or the image, in any case" }),
  archived: queryFlag.default(false).meta({ description: "the removed ones instead of the present ones" }),
  ignored: queryFlag.default(false).meta({ description: "those with service.ignore too" }),
  agent_id: agentFilter,
});
export type ListFilter = z.infer<typeof listFilter>;

/** Rows are containers: a group may continue on the next page. */
export const SORT_KEYS = ["name", "image", "state", "cpu", "memory", "uptime", "restarts", "since"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export const listQuery = listFilter.extend({ ...sorting(SORT_KEYS), ...cursorPaging() });
export type ListQuery = ListFilter & CursorPage & Sorting<SortKey>;

export const transitionQuery = z.strictObject({
  since: timestamp.optional().meta({ description: "default: 24 hours ago" }),
  until: timestamp.optional(),
  ...paging({ limit: 100 }),
});

export const uptimeQuery = z.strictObject({ days: wholeNumber({ min: 1, max: 365 }).default(90) });

export const logQuery = z.strictObject({
  lines: wholeNumber(LOG_LINES).default(LOG_LINES.default),
  since: timestamp.optional(),
  timestamps: queryFlag.default(true),
  search: text(255).optional(),
  container: text(255).optional().meta({ description: "Kubernetes: only containers of this name in the pods of the workload" }),
  previous: queryFlag.default(false).meta({ description: "Kubernetes: of the containers before their last restart" }),
});

export const logStreamQuery = logQuery.omit({ search: true });
