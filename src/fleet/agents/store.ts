import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { Unit } from "../../storage/purge.ts";
import type { Agent } from "./agent.ts";
import { agentFromRow, agentToRow, liveToRow } from "./rows.ts";
import type { AgentTables } from "./tables.ts";

/** Deletes what a part of the program keeps of an agent, in the transaction that deletes the agent. It knows its own tables alone. */
export type Purger = (unit: Unit, agentId: string) => Promise<void>;

/** How what its host showed is deleted with an agent: nothing more of it is taken, `write` purges it with the agent, then it is forgotten. */
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

    /** Saves what changes while agents stream; of one that is gone nothing. */
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

    /** Deletes an agent and everything of it, wholly or not at all. */
    async remove(id: string, purgers: readonly Purger[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const purge of purgers) await purge(tx as unknown as Unit, id);
        await tx.deleteFrom("agents").where("id", "=", id).execute();
      });
    },
  };
}
