import { z } from "zod";
import { CONNECTION_STATES } from "../../events.ts";
import { pageEnd, pageOf, paging } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { type AgentRecord, agent } from "./answers.ts";
import type { AgentService } from "./service.ts";

/** The server's own host, from the part that watches it. */
export interface LocalHost {
  label: string;
  hostname: string | null;
  os: string | null;
  runtime: string | null;
  /** Whether it reported recently. */
  available: boolean;
  /** RFC 3339. */
  timestamp: string | null;
}

/** What the tools need in addition to the agents. */
export interface AgentToolsDependencies {
  /** The version of the server. */
  version: string;
  /** undefined when the server does not watch its own host. */
  localHost(): LocalHost | undefined;
  /** Whether the present edition allows remote hosts. */
  grants(capability: "agents"): boolean;
}

/** The tools that list hosts for assistants. */
export function agentTools(service: Pick<AgentService, "list">, { version, localHost, grants }: AgentToolsDependencies): Tool[] {
  return [
    tool({
      name: "list_agents",
      title: "List hosts",
      description:
        "The hosts that are watched: the server's own (`local`) and those with an agent, whether each is connected, and what waits on it. Use it to find an " +
        "`agent_id`, or when nothing new comes from a host: what is known of a disconnected one is as old as its last_seen_at. For a host's load use get_resources.",
      input: z.strictObject({
        connection_state: z.enum(CONNECTION_STATES).optional().describe("Only hosts that are connected, or are not."),
        active_only: z.boolean().default(true).describe("Without agents that were revoked and never come back."),
        ...paging({ limit: 100 }),
      }),
      output: z.object({
        agents: z.array(hostSchema()),
        ...pageEnd,
        other_hosts: z.enum(["watched", "not_in_this_edition"]).describe("Whether this instance may watch other hosts than its own."),
      }),
      handle({ connection_state: connection, active_only: activeOnly, limit, cursor }) {
        const isGranted = grants("agents");
        const local = localHost();
        const all = [
          ...(local === undefined ? [] : [localRecord(local, version)]),
          ...(isGranted ? service.list().agents.map(hostRecord) : []),
        ];
        const wanted = all.filter(
          (each) => (!activeOnly || each.status === "active") && (connection === undefined || each.connection_state === connection),
        );
        const { page, end } = pageOf(wanted, { limit, cursor });
        return { agents: page, ...end, other_hosts: isGranted ? ("watched" as const) : ("not_in_this_edition" as const) };
      },
    }),
  ];
}

function hostSchema() {
  return agent
    .pick({ label: true, hostname: true, os: true, version: true, status: true, connection_state: true, clock_offset_ms: true })
    .extend({
      id: z.union([z.literal("local"), z.uuid()]).describe("What other tools take as `agent_id`. Their results spell `local` as null."),
      hostname: z.string().nullable(),
      os: z.string().nullable(),
      arch: z.string().nullable(),
      runtime: z.string().nullable(),
      last_seen_at: agent.shape.last_seen_at.nullable(),
      enrolled_at: agent.shape.enrolled_at.nullable().describe("null for the server's own host."),
      revoked_at: agent.shape.revoked_at,
      spool: agent.shape.spool.nullable().describe("Events that wait on the agent because it was cut off; null for the server's own host."),
    });
}
type HostRecord = z.output<ReturnType<typeof hostSchema>>;

function hostRecord({ capabilities: _, events_per_second: __, ...record }: AgentRecord): HostRecord {
  return record;
}

function localRecord({ label, hostname, os, runtime, available, timestamp }: LocalHost, version: string): HostRecord {
  return {
    id: "local",
    label,
    hostname,
    os,
    arch: null,
    version,
    runtime,
    status: "active",
    connection_state: available ? "connected" : "disconnected",
    last_seen_at: timestamp,
    enrolled_at: null,
    revoked_at: null,
    spool: null,
    clock_offset_ms: null,
  };
}
