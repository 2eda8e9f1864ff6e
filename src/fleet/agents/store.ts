import type { Kysely } from "kysely";
import { z } from "zod";
import { AGENT_STATUSES } from "../../events.ts";
import type { Database } from "../../storage/database.ts";
import type { Unit } from "../../storage/statements.ts";
import type { Agent } from "./agent.ts";

/** The columns of this feature's table; see storage/migrations/023-agents.ts for their meaning. */
export interface AgentTables {
  agents: AgentRow;
}

interface AgentRow {
  id: string;
  label: string;
  /** Base64. */
  public_key: string;
  hostname: string;
  os: string;
  arch: string;
  version: string;
  runtime: string;
  /** JSON. */
  capabilities: string;
  status: string;
  enrolled_at: number;
  revoked_at: number | null;
  last_seen_at: number;
  lost_since: number | null;
  clock_offset_ms: number | null;
  spool_dropped: number;
}

const status = z.enum(AGENT_STATUSES);
const runtime = z.enum(["docker", "swarm", "kubernetes"]);
const capabilities = z.array(z.string());

/** The columns that change while an agent streams. */
type LiveColumns = Pick<
  AgentRow,
  "hostname" | "os" | "arch" | "version" | "runtime" | "capabilities" | "last_seen_at" | "lost_since" | "clock_offset_ms" | "spool_dropped"
>;

/** Rows were checked before they were saved. One that does not parse was changed by another program, which is a defect. */
function agentFromRow(row: AgentRow): Agent {
  return {
    id: row.id,
    label: row.label,
    publicKey: Buffer.from(row.public_key, "base64"),
    hostname: row.hostname,
    os: row.os,
    arch: row.arch,
    version: row.version,
    runtime: runtime.parse(row.runtime),
    capabilities: capabilities.parse(JSON.parse(row.capabilities)),
    status: status.parse(row.status),
    enrolledAt: new Date(row.enrolled_at),
    revokedAt: dateOf(row.revoked_at),
    lastSeenAt: new Date(row.last_seen_at),
    lostSince: dateOf(row.lost_since),
    awaited: true,
    clockOffsetMs: row.clock_offset_ms,
    spoolDropped: row.spool_dropped,
  };
}

function agentToRow(agent: Agent): AgentRow {
  return {
    id: agent.id,
    label: agent.label,
    public_key: Buffer.from(agent.publicKey).toString("base64"),
    status: agent.status,
    enrolled_at: agent.enrolledAt.getTime(),
    revoked_at: agent.revokedAt?.getTime() ?? null,
    ...liveToRow(agent),
  };
}

function liveToRow(agent: Agent): LiveColumns {
  return {
    hostname: agent.hostname,
    os: agent.os,
    arch: agent.arch,
    version: agent.version,
    runtime: agent.runtime,
    capabilities: JSON.stringify(agent.capabilities),
    last_seen_at: agent.lastSeenAt.getTime(),
    lost_since: agent.lostSince?.getTime() ?? null,
    clock_offset_ms: agent.clockOffsetMs,
    spool_dropped: agent.spoolDropped,
  };
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** Deletes the rows that a part of the program has of an agent, in the transaction that deletes the agent. It knows only its own tables. */
export type Purger = (unit: Unit, agentId: string) => Promise<void>;

/**
 * How the data of an agent's host is deleted: nothing more of the host is taken, `write` deletes its rows together with the agent, then it is
 * forgotten.
 */
export interface HostRemoval {
  remove(agentId: string, write: (purge: (unit: Unit) => Promise<void>) => Promise<void>): Promise<void>;
}

export type AgentStore = ReturnType<typeof createAgentStore>;

/** Adds an agent, in the transaction that consumes its token. */
export async function insertAgent(tx: Kysely<AgentTables>, agent: Agent): Promise<void> {
  await tx.insertInto("agents").values(agentToRow(agent)).execute();
}

export function createAgentStore(database: Database) {
  const tables = database.tables<AgentTables>();
  return {
    async all(): Promise<Agent[]> {
      const rows = await tables.read.selectFrom("agents").selectAll().orderBy("enrolled_at").execute();
      return rows.map(agentFromRow);
    },

    /** Saves the columns that change while agents stream; agents that were deleted are skipped. */
    async saveLive(agents: readonly Agent[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const agent of agents) await tx.updateTable("agents").set(liveToRow(agent)).where("id", "=", agent.id).execute();
      });
    },

    async rename(id: string, label: string): Promise<void> {
      await tables.write((tx) => tx.updateTable("agents").set({ label }).where("id", "=", id).execute());
    },

    async revoke(id: string, at: Date): Promise<void> {
      await tables.write((tx) =>
        tx.updateTable("agents").set({ status: "revoked", revoked_at: at.getTime(), lost_since: null }).where("id", "=", id).execute(),
      );
    },

    /** Deletes an agent with all its rows, completely or not at all. */
    async remove(id: string, purgers: readonly Purger[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const purge of purgers) await purge(tx as unknown as Unit, id);
        await tx.deleteFrom("agents").where("id", "=", id).execute();
      });
    },
  };
}
