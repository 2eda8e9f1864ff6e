import { z } from "zod";
import { RANGE_NAMES } from "../../contract/ranges.ts";
import { SCOPES } from "../../contract/scope.ts";
import { timestamp } from "../../http/schemas.ts";
import { metric, rankedBy } from "./api.ts";

const bytes = z.number().min(0).nullable();
const rate = z.number().min(0).nullable();
const percent = z.number().min(0).max(100).nullable();

/** What one container uses; everything null while it does not run. */
export const snapshot = z.object({
  container_id: z.number().int(),
  cpu_percent: percent.meta({ description: "of the allocated CPUs: quota, else cpuset, else all of the host" }),
  cpu_cores_used: z.number().min(0).nullable(),
  memory_bytes: bytes.meta({ description: "working set, without page cache" }),
  memory_limit_bytes: bytes.meta({ description: "its limit, else the memory of the host" }),
  memory_percent: percent,
  network_rx_bytes: bytes.meta({ description: "counters since the start of the container" }),
  network_tx_bytes: bytes,
  disk_read_bytes: bytes,
  disk_write_bytes: bytes,
  network_rx_bytes_per_second: rate,
  network_tx_bytes_per_second: rate,
  disk_read_bytes_per_second: rate,
  disk_write_bytes_per_second: rate,
  timestamp: timestamp.nullable(),
});
export type Snapshot = z.infer<typeof snapshot>;

const values = z.array(z.number().nullable());

export const history = z.object({
  container_id: z.number().int(),
  range: z.enum(RANGE_NAMES),
  step_seconds: z.number().int(),
  series: z
    .object({
      timestamps: z.array(timestamp),
      cpu_percent: values,
      cpu_percent_max: values,
      memory_bytes: values,
      memory_bytes_max: values,
      memory_limit_bytes: values,
      network_rx_bytes_per_second: values,
      network_tx_bytes_per_second: values,
      disk_read_bytes_per_second: values,
      disk_write_bytes_per_second: values,
    })
    .meta({ description: "one value a step in each: the mean, and for CPU and memory the maximum; null where nothing was measured" }),
  breaches: z
    .array(z.object({ metric, threshold: z.number(), peak: z.number(), fired_at: timestamp, resolved_at: timestamp.nullable() }))
    .meta({ description: "thresholds exceeded within the range, oldest first" }),
});
export type History = z.infer<typeof history>;

export const around = z.object({
  container_id: z.number().int(),
  step_seconds: z.number().int().meta({ description: "as finely as it is still kept" }),
  points: z
    .array(z.object({ at: timestamp, cpu_percent: percent, memory_bytes: bytes, memory_limit_bytes: bytes }))
    .meta({ description: "the maximum of each step, oldest first; steps in which nothing was measured are left out" }),
});
export type Around = z.infer<typeof around>;

const breachState = z
  .object({ since: timestamp, peak: z.number() })
  .nullable()
  .meta({ description: "since when the threshold is exceeded; null when it is not" });

const source = z.object({ entity_type: z.enum(["container", SCOPES.group, SCOPES.host]), entity_id: z.string() }).nullable();

export const thresholds = z.object({
  container_id: z.number().int(),
  configured: z.boolean().meta({ description: "false until set for it, its group or its host: nothing is watched then" }),
  source: source.meta({
    description: "for what they were set: the container, its group (its name), or its host (`agent`: `local` or a UUID); null: nowhere",
  }),
  inherits_from: source.meta({ description: "whose would apply if the container had none itself; null: none" }),
  cpu_threshold: percent.meta({ description: "percent; null is off" }),
  memory_threshold: percent.meta({ description: "percent; null is off" }),
  debounce_seconds: z.number().int(),
  cpu_breach: breachState,
  memory_breach: breachState,
});
export type Thresholds = z.infer<typeof thresholds>;

export const scopeThresholds = z.object({
  entity_type: z.enum([SCOPES.group, SCOPES.host]),
  entity_id: z.string(),
  cpu_threshold: percent.meta({ description: "percent; null is off" }),
  memory_threshold: percent.meta({ description: "percent; null is off" }),
  debounce_seconds: z.number().int(),
  containers: z.number().int().meta({ description: "to how many containers they apply now" }),
  exceeded: z.number().int().meta({ description: "how many of these exceed one now" }),
});
export type ScopeThresholds = z.infer<typeof scopeThresholds>;

/** The thresholds that are set, of all present containers. */
export const thresholdList = z.object({
  thresholds: z
    .array(thresholds)
    .meta({ description: "of containers with their own, and of those that exceed one of their group or host" }),
  scopes: z.array(scopeThresholds).meta({ description: "of groups and hosts" }),
  total: z.number().int(),
});
export type ThresholdList = z.infer<typeof thresholdList>;

const sinceYesterday = z.object({
  state: z.enum(["measured", "new", "unknown"]).meta({
    description: "`new`: created after that hour; `unknown`: not measured in it, or CPU without a use now to compare it with",
  }),
  value: z.number().nullable().meta({ description: "the mean of that hour; null unless `measured`" }),
  change: z.number().nullable().meta({ description: "the value of now minus that; null unless `measured`" }),
  change_percent: z.number().nullable().meta({ description: "in percent of that; null where it was 0, and unless `measured`" }),
});

export const top = z.object({
  sort: metric,
  by: rankedBy,
  yesterday: z.object({ from: timestamp, to: timestamp }).nullable().meta({
    description: "the hour that holds the moment 24 hours ago; null below the Pro edition, and while the database cannot be read",
  }),
  consumers: z.array(
    z.object({
      container_id: z.number().int(),
      name: z.string(),
      agent_id: z.uuid().nullable(),
      value: z.number().meta({ description: "cores used, or bytes of memory" }),
      percent: percent.meta({ description: "of what is allocated to it" }),
      rank: z.number().int(),
      since_yesterday: sinceYesterday.nullable().meta({ description: "null when `yesterday` is" }),
    }),
  ),
});
export type Top = z.infer<typeof top>;

export const host = z.object({
  agent_id: z.uuid().nullable(),
  label: z.string(),
  hostname: z.string().nullable(),
  os: z.string().nullable(),
  runtime: z.string().nullable(),
  cpu_percent: percent,
  cpu_count: z.number().nullable(),
  memory_bytes: bytes,
  memory_total_bytes: bytes,
  disk_bytes: bytes,
  disk_total_bytes: bytes,
  load: z.array(z.number()).length(3).nullable(),
  uptime_seconds: z.number().nullable(),
  running_containers: z.number().int(),
  available: z.boolean().meta({ description: "sampled within the last 35 seconds" }),
  timestamp: timestamp.nullable(),
});
export type HostRecord = z.infer<typeof host>;

export const hosts = z.object({ hosts: z.array(host) });
export type Hosts = z.infer<typeof hosts>;

/** One host with the sums of its containers. */
export const summary = host.extend({
  total_containers: z.number().int(),
  containers: z.object({
    cpu_cores_used: z.number().nullable(),
    memory_bytes: bytes,
    network_rx_bytes_per_second: rate,
    network_tx_bytes_per_second: rate,
    disk_read_bytes_per_second: rate,
    disk_write_bytes_per_second: rate,
  }),
});
export type Summary = z.infer<typeof summary>;

/** The last hour of all containers in few points, for lists. */
export const sparklines = z.object({
  step_seconds: z.number().int(),
  timestamps: z.array(timestamp).meta({ description: "the beginning of each step; the last one is under way" }),
  containers: z.array(z.object({ container_id: z.number().int(), cpu_percent: values, memory_percent: values })),
});
export type Sparklines = z.infer<typeof sparklines>;
