import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement } from "../../storage/kept-statement.ts";
import type { Container, Transition } from "./container.ts";
import { containerFromRow, containerToRow, type SavedContainer, transitionToRow } from "./rows.ts";
import type { ContainerTables } from "./tables.ts";
import type { Span } from "./uptime.ts";

/** A container to save with what happened to it; `id` undefined for a new one. */
export interface Change {
  id: number | undefined;
  next: Container;
  transitions: readonly Transition[];
}

/** Rows deleted in one unit: small enough not to hold up the writer. */
const PRUNE_BATCH = 1000;

export type ContainerStore = ReturnType<typeof createContainerStore>;

/** Containers, saved together with what happened to them; history/store.ts looks back on that. */
export function createContainerStore(database: Database) {
  const tables = database.tables<ContainerTables>();
  const saveChange = createSaving();

  return {
    /** All containers that are not archived. */
    async present(): Promise<SavedContainer[]> {
      const rows = await tables.read.selectFrom("containers").selectAll().where("archived_at", "is", null).orderBy("id").execute();
      return rows.map(containerFromRow);
    },

    async archived(): Promise<SavedContainer[]> {
      const rows = await tables.read
        .selectFrom("containers")
        .selectAll()
        .where("archived_at", "is not", null)
        .orderBy("archived_at", "desc")
        .execute();
      return rows.map(containerFromRow);
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
        .where("agent_id", agentId === null ? "is" : "=", agentId)
        .where("external_id", "in", externalIds)
        .execute();
      return rows.map(containerFromRow);
    },

    /** Saves states and histories together; answers the containers' identifiers in the order given. */
    save(changes: readonly Change[]): Promise<number[]> {
      return tables.write(async (tx) => {
        const ids: number[] = [];
        for (const change of changes) ids.push(await saveChange(tx, change));
        return ids;
      });
    },

    /**
     * Puts a replayed transition in its place between those known; one already known changes nothing. A container that is not
     * known is added as archived, since what is known of it is its past.
     */
    async saveReplayed(container: Container, transition: Transition): Promise<void> {
      await tables.write(async (tx) => {
        const known = await tx
          .selectFrom("containers")
          .select("id")
          .where("agent_id", container.agentId === null ? "is" : "=", container.agentId)
          .where("external_id", "=", container.externalId)
          .executeTakeFirst();
        const id =
          known?.id ??
          (await saveChange(tx, { id: undefined, next: { ...container, archivedAt: container.lastObservedAt }, transitions: [] }));
        await insertBetween(tx, id, transition);
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
          .where("new_state", "in", ["exited", "completed", "dead", "restarting"])
          .execute(),
      );
    },

    /** Notes that a host was watched for a stretch; the stretch that began then only grows. */
    async saveWatched(agentId: string | null, { from, to }: Span): Promise<void> {
      await tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("watched_spans")
          .set({ ended_at: to })
          .where("agent_id", agentId === null ? "is" : "=", agentId)
          .where("started_at", "=", from)
          .where("ended_at", "<=", to)
          .executeTakeFirst();
        if (Number(numUpdatedRows) > 0) return;
        await tx
          .insertInto("watched_spans")
          .values({ agent_id: agentId, started_at: from, ended_at: to })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },

    /** Deletes what is past its time, a bounded number of rows a call; true while there is more. */
    async prune({ archivedBefore, historyBefore }: { archivedBefore: Date; historyBefore: Date }): Promise<boolean> {
      return tables.write(async (tx) => {
        const old = await tx
          .selectFrom("transitions")
          .select("id")
          .where("occurred_at", "<", historyBefore.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        if (old.length > 0)
          await tx
            .deleteFrom("transitions")
            .where(
              "id",
              "in",
              old.map(({ id }) => id),
            )
            .execute();
        const gone = await tx
          .selectFrom("containers")
          .select("id")
          .where("archived_at", "<", archivedBefore.getTime())
          .limit(PRUNE_BATCH)
          .execute();
        if (gone.length > 0)
          await tx
            .deleteFrom("containers")
            .where(
              "id",
              "in",
              gone.map(({ id }) => id),
            )
            .execute();
        await tx.deleteFrom("watched_spans").where("ended_at", "<", historyBefore.getTime()).execute();
        return old.length === PRUNE_BATCH || gone.length === PRUNE_BATCH;
      });
    },
  };
}

/** The statements that every change runs, kept for one database. */
function createSaving() {
  type Tx = Kysely<ContainerTables>;
  const insert = keptStatement((tx: Tx, row: ReturnType<typeof containerToRow>) => tx.insertInto("containers").values(row).returning("id"));
  const update = keptStatement((tx: Tx, { id, ...row }: ReturnType<typeof containerToRow> & { id: number }) =>
    tx.updateTable("containers").set(row).where("id", "=", id),
  );
  const addTransition = keptStatement((tx: Tx, row: ReturnType<typeof transitionToRow>) =>
    tx
      .insertInto("transitions")
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );

  async function saveContainer(tx: Tx, id: number | undefined, next: Container): Promise<number> {
    const row = containerToRow(next);
    if (id !== undefined) {
      await update(tx, { ...row, id });
      return id;
    }
    const [inserted] = (await insert(tx, row)).rows;
    if (inserted === undefined) throw new Error("an inserted container has no id");
    return inserted.id;
  }

  return async (tx: Tx, { id, next, transitions }: Change): Promise<number> => {
    const saved = await saveContainer(tx, id, next);
    for (const transition of transitions) await addTransition(tx, transitionToRow(saved, transition, false));
    return saved;
  };
}

async function insertBetween(tx: Kysely<ContainerTables>, containerId: number, transition: Transition): Promise<void> {
  const neighbour = (direction: "asc" | "desc") =>
    tx
      .selectFrom("transitions")
      .selectAll()
      .where("container_id", "=", containerId)
      .where("occurred_at", direction === "desc" ? "<=" : ">", transition.at.getTime())
      .orderBy("occurred_at", direction)
      .orderBy("id", direction)
      .executeTakeFirst();
  const before = await neighbour("desc");
  if (before?.new_state === transition.newState && before.new_health === transition.newHealth) return;
  const row = transitionToRow(containerId, transition, true);
  await tx
    .insertInto("transitions")
    .values({ ...row, previous_state: before?.new_state ?? null, previous_health: before?.new_health ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const after = await neighbour("asc");
  if (after === undefined) return;
  await tx
    .updateTable("transitions")
    .set({ previous_state: transition.newState, previous_health: transition.newHealth })
    .where("id", "=", after.id)
    .execute();
}
