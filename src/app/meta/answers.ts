import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";

export const health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  mode: z.enum(["embedded", "server"]),
  storage: z.object({ engine: z.enum(["sqlite", "postgresql"]), connected: z.boolean() }),
  runtime: z.object({ connected: z.boolean() }),
  demo: z.literal(true).optional().meta({ description: "there when this is a demo: all data is made up, and nothing is stored" }),
});
export type Health = z.infer<typeof health>;

export const readiness = z.object({
  status: z.enum(["ready", "starting", "standby", "unavailable"]),
  reason: z.string().nullable().meta({ description: "why it is not ready" }),
  storage: z.object({ connected: z.boolean(), error: z.string().nullable() }),
});
export type Readiness = z.infer<typeof readiness>;

export const runtimeStatus = z.object({
  watched: z.boolean().meta({ description: "false where a server watches remote hosts alone" }),
  runtime: z.enum(["docker", "swarm", "kubernetes"]),
  connected: z.boolean(),
  version: z.string().nullable(),
  api_version: z.string().nullable(),
  error: z.string().nullable().meta({ description: "why it is not connected, and what to do" }),
  since: timestamp.meta({ description: "since when it has been connected, or not" }),
  address: z.string().meta({ description: "where it is reached, without credentials" }),
  capabilities: z.object({ events: z.boolean(), stats: z.boolean(), logs: z.boolean(), swarm: z.boolean(), metrics: z.boolean() }),
  missing: z
    .array(z.string())
    .meta({ description: "what a permission or a socket proxy denies, or the engine does not show, and what to do" }),
});
export type RuntimeStatusRecord = z.infer<typeof runtimeStatus>;

/** What the database holds and what it will. */
export const storageUse = z.object({
  engine: z.enum(["sqlite", "postgresql"]),
  bytes: z.number().int().meta({ description: "in use now; a file may be larger, since it keeps freed pages for later" }),
  limit_bytes: z.number().int().nullable().meta({ description: "SERVICE_MAX_DB_BYTES" }),
  measured: z.enum(["exact", "estimated"]).meta({
    description:
      "exact: by the pages of the tables; estimated: by their rows and the size of some, as of PostgreSQL and of large SQLite files",
  }),
  kinds: z
    .array(
      z.object({
        kind: z.enum([
          ...["journal", "detail", "minutes", "hours"],
          ...["checks", "pings", "history", "alerts", "deliveries", "webhook_deliveries", "certificate_checks", "images", "audit"],
          "other",
        ] as const),
        bytes: z.number().int(),
        oldest: timestamp.nullable(),
        kept_seconds: z.number().int().nullable(),
      }),
    )
    .meta({
      description:
        "resource figures by detail (what waits to be compressed, each 10 s, each minute, each hour), records by what they are of, and all else",
    }),
  growth_bytes_per_day: z
    .number()
    .int()
    .nullable()
    .meta({ description: "by what the last day brought; null until the first hour was compressed" }),
  forecast: z.object({
    bytes: z.number().int().nullable().meta({ description: "once everything is kept as long as it may be" }),
    days_until_limit: z.number().nullable().meta({ description: "null when the limit is not in sight, or there is none" }),
  }),
  oldest: timestamp.nullable(),
  backups: z
    .object({
      folder: z.string().meta({ description: "a folder, or s3://BUCKET/PREFIX" }),
      interval_seconds: z.number(),
      keep: z.number().int(),
      last: z
        .object({
          file: z.string(),
          bytes: z.number().int(),
          rows: z.number().int(),
          taken_at: timestamp,
          verified_at: timestamp.meta({ description: "when it had been restored into a database that was then thrown away" }),
        })
        .nullable()
        .meta({ description: "the last one that was taken and verified" }),
      error: z.string().nullable().meta({ description: "why the last attempt failed; null when it did not" }),
    })
    .nullable()
    .meta({ description: "backups that are taken by themselves; null without SERVICE_BACKUP_DIR and SERVICE_BACKUP_S3" }),
});
export type StorageUse = z.infer<typeof storageUse>;
