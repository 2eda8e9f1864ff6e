import { z } from "zod";
import { AGENT_STATUSES, CONNECTION_STATES } from "../../events.ts";
import { timestamp } from "../../http/schemas.ts";

const count = z.number().int().min(0);

const spool = z.object({
  queued: count.meta({ description: "events that wait on the agent, by its last report" }),
  draining: z.boolean().meta({ description: "it sends what happened while it was cut off" }),
  dropped: count.meta({ description: "events that its spool had no room for" }),
});

const eventsPerSecond = z.number().min(0).meta({ description: "mean of about the last 10 seconds" });
const connectionState = z.enum(CONNECTION_STATES).meta({ description: "connected: something came from it within the stale threshold" });

export const agent = z.object({
  id: z.uuid(),
  label: z.string(),
  hostname: z.string(),
  os: z.string(),
  arch: z.string(),
  version: z.string(),
  runtime: z.enum(["docker", "swarm", "kubernetes"]),
  status: z.enum(AGENT_STATUSES),
  connection_state: connectionState,
  last_seen_at: timestamp,
  enrolled_at: timestamp,
  revoked_at: timestamp.nullable(),
  spool,
  events_per_second: eventsPerSecond,
  capabilities: z.array(z.string()),
  clock_offset_ms: z.number().int().nullable().meta({
    description:
      "how far its clock is ahead of the server's, to the second, by what it sends while it is connected; null before its first stream",
  }),
});
export type AgentRecord = z.infer<typeof agent>;

export const agentList = z.object({ agents: z.array(agent), total: count });
export type AgentList = z.infer<typeof agentList>;

export const agentMetrics = z.object({
  agents: z.array(
    z.object({
      id: z.uuid(),
      label: z.string(),
      connection_state: connectionState,
      events_per_second: eventsPerSecond,
      events: count.meta({ description: "taken of it since the server started" }),
      messages: count.meta({ description: "that brought something of it since then" }),
      streams: count.meta({ description: "that it opened since then" }),
      oversize: count.meta({ description: "observations that were too large to be sent, or lost labels for it, since the agent started" }),
      listings_dropped: count.meta({
        description: "inventories in parts that were not taken since the server started: parts were missing, or it was too large",
      }),
      spool,
    }),
  ),
  total: count,
  connected: count,
  disconnected: count.meta({ description: "active ones; revoked ones are counted apart" }),
  revoked: count,
  events_per_second: eventsPerSecond,
  events: count,
  queued: count,
  dropped: count,
});
export type AgentMetrics = z.infer<typeof agentMetrics>;
