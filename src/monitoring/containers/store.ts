import { sql } from "kysely";
import { inBatches, inTables, type Unit } from "../../storage/statements.ts";
import type { Database } from "../../storage/database.ts";
import { AGENT, pruneGenerations } from "./generations-store.ts";
import { containerFromRow, ENDS, type SavedContainer, type ContainerTables } from "./rows.ts";
import { type Change, createSaving, createSpanMerging } from "./saving-store.ts";
import type { Span } from "./uptime.ts";

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 1000;
/** Containers purged by one statement; each may have thousands of transitions. */
const PURGED_CONTAINERS = 50;

/** Whether a container changed after a transition, and still before a time: the last change says what it was then, and who stopped it. */
const isSuperseded = (before: Date) => sql<boolean>`EXISTS (
  SELECT 1 FROM transitions AS later
  WHERE later.container_id = transitions.container_id AND later.occurred_at >= transitions.occurred_at AND later.occurred_at < ${before.getTime()}
    AND (later.occurred_at > transitions.occurred_at OR later.id > transitions.id)
)`;

export type ContainerStore = ReturnType<typeof createContainerStore>;

/** Containers, saved together with what happened to them; history-store.ts looks back on that. */
export function createContainerStore(database: Database) {
  const tables = database.tables<ContainerTables>();
  const saveChanges = createSaving();
  const mergeWatched = createSpanMerging();

  return {
    /** All containers that were not given up. */
    async load(): Promise<SavedContainer[]> {
      const rows = await tables.read.selectFrom("containers").selectAll().where("removed_at", "is", null).orderBy("id").execute();
      return rows.map(containerFromRow);
    },

    /** Those that the migration to generations joined, by the id that they are known by now; returned once. */
    async takeJoined(): Promise<{ id: number; name: string; count: number }[]> {
      return tables.write(async (tx) => {
        const rows = await tx
          .selectFrom("container_joins")
          .innerJoin("containers", "containers.id", "container_joins.into_id")
          .select(["containers.id", "containers.name"])
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .groupBy(["containers.id", "containers.name"])
          .orderBy("containers.id")
          .execute();
        if (rows.length > 0) await tx.deleteFrom("container_joins").execute();
        return rows.map(({ id, name, count }) => ({ id, name, count: Number(count) }));
      });
    },

    /** Which containers there have been several of, with how many. */
    async generations(): Promise<Map<number, number>> {
      const rows = await tables.read.selectFrom("containers").select(["id", "generation"]).where("generation", ">", 1).execute();
      return new Map(rows.map(({ id, generation }) => [id, generation]));
    },

    async countArchived(): Promise<number> {
      const { count } = await tables.read
        .selectFrom("containers")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("archived_at", "is not", null)
        .where("is_ignored", "=", 0)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async find(id: number): Promise<SavedContainer | undefined> {
      const row = await tables.read.selectFrom("containers").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : containerFromRow(row);
    },

    async findByExternalIds(agentId: string | null, externalIds: readonly string[]): Promise<SavedContainer[]> {
      if (externalIds.length === 0) return [];
      const rows = await tables.read
        .selectFrom("containers")
        .selectAll()
        .where(AGENT, "=", agentId ?? "")
        .where("external_id", "in", externalIds)
        .execute();
      return rows.map(containerFromRow);
    },

    /** The one that was there last comes last. */
    async findByIdentities(agentId: string | null, identities: readonly string[]): Promise<SavedContainer[]> {
      if (identities.length === 0) return [];
      const rows = await tables.read
        .selectFrom("containers")
        .selectAll()
        .where(AGENT, "=", agentId ?? "")
        .where("identity", "in", identities)
        .orderBy("last_observed_at")
        .execute();
      return rows.map(containerFromRow);
    },

    /** Saves states and histories together, with what `also` saves of them in the same unit; answers the containers' identifiers in the order given. */
    save(changes: readonly Change[], also?: (unit: object, ids: readonly number[]) => Promise<void>): Promise<number[]> {
      return tables.write(async (tx) => {
        const ids = await saveChanges(tx, changes);
        await also?.(tx, ids);
        return ids;
      });
    },

    /** Nothing took the place of these. What else is known of them may come from a replay, and stays. */
    async confirmRemovals(ids: readonly number[], at: Date, also?: (unit: object) => Promise<void>): Promise<void> {
      await tables.write(async (tx) => {
        await tx.updateTable("containers").set({ removed_at: at.getTime() }).where("id", "in", ids).execute();
        await also?.(tx);
      });
    },

    /** Puts the end of its log beside the transition at which a container ended. */
    async attachSnippet(containerId: number, endedAt: Date, snippet: string): Promise<void> {
      await tables.write((tx) =>
        tx
          .updateTable("transitions")
          .set({ log_snippet: snippet })
          .where("container_id", "=", containerId)
          .where("occurred_at", "=", endedAt.getTime())
          .where("new_state", "in", ENDS)
          .execute(),
      );
    },

    /** Adds stretches in which a host was watched to those that are known, in whatever order they come. */
    async addWatched(agentId: string | null, spans: readonly Span[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const span of spans) await mergeWatched(tx, agentId, span);
      });
    },

    /** Deletes what is past its time, a bounded number of rows a call; true while there is more. */
    async prune({ archivedBefore, historyBefore }: { archivedBefore: Date; historyBefore: Date }): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("transitions")
          .select("id")
          .where("occurred_at", "<", historyBefore.getTime())
          .where(isSuperseded(historyBefore))
          .limit(PRUNE_BATCH)
          .execute();
        const gone = await tx
          .selectFrom("containers")
          .select("id")
          .where("removed_at", "<", archivedBefore.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        for (const [table, rows] of [
          ["transitions", old],
          ["containers", gone],
        ] as const)
          if (rows.length > 0)
            await tx
              .deleteFrom(table)
              .where(
                "id",
                "in",
                rows.map(({ id }) => id),
              )
              .execute();
        const isMore = await pruneGenerations(tx, { endedBefore: historyBefore, limit: PRUNE_BATCH });
        await tx.deleteFrom("watched_spans").where("ended_at", "<", historyBefore.getTime()).execute();
        return old.length === PRUNE_BATCH || gone.length === PRUNE_BATCH || isMore;
      });
    },

    /** Deletes an agent's containers with their histories, inside of a unit; a bounded number of rows a statement. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<ContainerTables>(unit);
      const ids = (await tx.selectFrom("containers").select("id").where(AGENT, "=", agentId).execute()).map(({ id }) => id);
      for (const some of inBatches(ids, PURGED_CONTAINERS)) {
        await tx.deleteFrom("transitions").where("container_id", "in", some).execute();
        await tx.deleteFrom("container_generations").where("container_id", "in", some).execute();
        await tx.deleteFrom("containers").where("id", "in", some).execute();
      }
      // Of slots that have moved to other hosts since.
      await tx.deleteFrom("container_generations").where(AGENT, "=", agentId).execute();
      await tx.deleteFrom("watched_spans").where(AGENT, "=", agentId).execute();
    },
  };
}
