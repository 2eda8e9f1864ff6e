import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";

export const health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  storage: z.object({ engine: z.enum(["sqlite", "postgresql"]), connected: z.boolean() }),
  runtime: z.object({ connected: z.boolean() }),
});
export type Health = z.infer<typeof health>;

export const readiness = z.object({
  status: z.enum(["ready", "unavailable"]),
  storage: z.object({ connected: z.boolean(), error: z.string().nullable() }),
});
export type Readiness = z.infer<typeof readiness>;

export const runtimeStatus = z.object({
  runtime: z.enum(["docker", "swarm", "kubernetes"]),
  connected: z.boolean(),
  version: z.string().nullable(),
  api_version: z.string().nullable(),
  error: z.string().nullable().meta({ description: "why it is not connected, and what to do" }),
  since: timestamp.meta({ description: "since when it has been connected, or not" }),
  address: z.string().meta({ description: "where it is reached, without credentials" }),
  capabilities: z.object({ events: z.boolean(), stats: z.boolean(), logs: z.boolean(), swarm: z.boolean(), metrics: z.boolean() }),
  missing: z.array(z.string()).meta({ description: "what a permission or a socket proxy denies, and how to allow it" }),
});
export type RuntimeStatusRecord = z.infer<typeof runtimeStatus>;
