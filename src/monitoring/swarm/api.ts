import { z } from "zod";
import { LOG_LINES } from "../../contract/log.ts";
import { SERVICE_STATES } from "../../events.ts";
import { cursorPaging } from "../../http/cursor.ts";
import { agentFilter, queryFlag, timestamp, wholeNumber } from "../../http/schemas.ts";

export const serviceLogQuery = z.strictObject({
  lines: wholeNumber(LOG_LINES).default(LOG_LINES.default),
  since: timestamp.optional(),
  search: z.string().max(255).optional().meta({ description: "only lines with this in them, in any case" }),
});
export type ServiceLogQuery = z.infer<typeof serviceLogQuery>;

export const serviceLogStreamQuery = serviceLogQuery.omit({ search: true });
export type ServiceLogStreamQuery = z.infer<typeof serviceLogStreamQuery>;

const serviceLogStreamEnd = z.object({ reason: z.enum(["service_removed", "unreadable", "slow_client"]), message: z.string().nullable() });
export type ServiceLogStreamEnd = z.infer<typeof serviceLogStreamEnd>;

const clusterFilter = z.string().max(64).optional().meta({ description: "only of this swarm" });

export const serviceQuery = z.strictObject({
  cluster_id: clusterFilter,
  stack: z.string().max(255).optional(),
  state: z.enum(SERVICE_STATES).optional(),
  search: z.string().max(255).optional().meta({ description: "in the name, the stack or the image, in any case" }),
  agent_id: agentFilter.meta({ description: "only swarms that this host is part of" }),
  ...cursorPaging(),
});
export type ServiceQuery = z.infer<typeof serviceQuery>;

export const taskQuery = z.strictObject({
  cluster_id: clusterFilter,
  service_id: z.string().max(64).optional(),
  node_id: z.string().max(64).optional(),
  current: queryFlag.optional().meta({ description: "only those that are to run, or are over" }),
  agent_id: agentFilter.meta({ description: "only those on the node that this host is" }),
  ...cursorPaging(),
});
export type TaskQuery = z.infer<typeof taskQuery>;

export const nodeQuery = z.strictObject({
  cluster_id: clusterFilter,
  agent_id: agentFilter.meta({ description: "only the node that this host is" }),
  ...cursorPaging(),
});
export type NodeQuery = z.infer<typeof nodeQuery>;

export const serviceParams = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9]{1,64}$/)
    .meta({ description: "as Docker names it" }),
});
