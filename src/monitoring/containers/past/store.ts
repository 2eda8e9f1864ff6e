import type { PastChanges } from "../../../platform/look-back.ts";
import type { Database } from "../../../storage/database.ts";
import { isOf, pastChanges } from "../../../storage/look-back.ts";
import { type SavedTransition, transitionFromRow } from "../rows.ts";
import type { ContainerTables } from "../tables.ts";

/** Which container something happened to. */
interface OfContainer {
  containerId: number;
  name: string;
  agentId: string | null;
}

/** What happened to containers of a host or of all, newest first. */
export interface PastOfContainers {
  /** The first one of a container has no state before it. Without the end of the log. */
  transitions: PastChanges<SavedTransition & OfContainer>;
  removals: PastChanges<OfContainer & { id: number; at: Date }>;
  /** The last end of a container since then of which the end of the log is kept. */
  lastEnd(containerId: number, since: Date): Promise<SavedTransition | undefined>;
}

export function createPastStore(database: Database): PastOfContainers {
  const tables = database.tables<ContainerTables>();
  return {
    transitions: pastChanges({
      from: (_since, whose) =>
        tables.read
          .selectFrom("transitions")
          .innerJoin("containers", "containers.id", "transitions.container_id")
          .where(isOf("containers.agent_id", whose)),
      at: "transitions.occurred_at",
      id: "transitions.id",
      select: (query) =>
        query.select([
          "transitions.id",
          "transitions.container_id",
          "transitions.previous_state",
          "transitions.new_state",
          "transitions.previous_health",
          "transitions.new_health",
          "transitions.exit_code",
          "transitions.oom_killed",
          "transitions.stop_requested",
          "transitions.replayed",
          "transitions.occurred_at",
          "containers.name",
          "containers.agent_id",
        ]),
      read: ({ name, agent_id: agentId, ...row }) => ({
        ...transitionFromRow({ ...row, log_snippet: null, health_failure: null }),
        name,
        agentId,
      }),
    }),
    removals: pastChanges({
      from: (_since, whose) => tables.read.selectFrom("containers").where("is_ignored", "=", 0).where(isOf("agent_id", whose)),
      at: "archived_at",
      id: "id",
      select: (query) => query.select(["id", "name", "agent_id", "archived_at"]),
      read: ({ id, name, agent_id: agentId, archived_at }) => ({ id, containerId: id, name, agentId, at: new Date(archived_at ?? 0) }),
    }),
    async lastEnd(containerId, since) {
      const row = await tables.read
        .selectFrom("transitions")
        .selectAll()
        .where("container_id", "=", containerId)
        .where("occurred_at", ">=", since.getTime())
        .where("log_snippet", "is not", null)
        .where("log_snippet", "!=", "")
        .orderBy("occurred_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : transitionFromRow(row);
    },
  };
}
