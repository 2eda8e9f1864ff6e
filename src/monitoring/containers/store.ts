import { type Kysely, sql } from "kysely";
import { inBatches, inTables, type Unit } from "../../storage/purge.ts";
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
/** Containers purged by one statement; each may have thousands of transitions. */
const PURGED_CONTAINERS = 50;

/** As the indexes have it; the local host is the empty text. */
const AGENT = sql<string>`COALESCE(agent_id, '')`;

export type ContainerStore = ReturnType<typeof createContainerStore>;

/** Containers, saved together with what happened to them; history/store.ts looks back on that. */
export function createContainerStore(database: Database) {
  const tables = database.tables<ContainerTables>();
  const saveChange = createSaving();
  const mergeWatched = createMerging();

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
        .where(AGENT, "=", agentId ?? "")
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

    /** Notes that the local host was watched for a stretch; the stretch that began then only grows. */
    async saveWatched({ from, to }: Span): Promise<void> {
      await tables.write(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("watched_spans")
          .set({ ended_at: to })
          .where("agent_id", "is", null)
          .where("started_at", "=", from)
          .where("ended_at", "<=", to)
          .executeTakeFirst();
        if (Number(numUpdatedRows) > 0) return;
        await tx
          .insertInto("watched_spans")
          .values({ agent_id: null, started_at: from, ended_at: to })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },

    /** Adds stretches in which an agent's host was watched to those that are known, in whatever order they come. */
    async addWatched(agentId: string, spans: readonly Span[]): Promise<void> {
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

    /** Deletes an agent's containers with their histories, inside of a unit; a bounded number of rows a statement. */
    async purgeHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<ContainerTables>(unit);
      const ids = (await tx.selectFrom("containers").select("id").where(AGENT, "=", agentId).execute()).map(({ id }) => id);
      for (const some of inBatches(ids, PURGED_CONTAINERS)) {
        await tx.deleteFrom("transitions").where("container_id", "in", some).execute();
        await tx.deleteFrom("containers").where("id", "in", some).execute();
      }
      await tx.deleteFrom("watched_spans").where(AGENT, "=", agentId).execute();
    },
  };
}

/** How to add a stretch: the same twice, or one that touches others, makes one of them. Each host says one every ten seconds, so the statements are kept. */
function createMerging() {
  type Tx = Kysely<ContainerTables>;
  const touching = keptStatement((tx: Tx, { agentId, to, from }: { agentId: string; to: number; from: number }) =>
    tx
      .selectFrom("watched_spans")
      .selectAll()
      .where(AGENT, "=", agentId)
      .where("started_at", "<=", to)
      .where("ended_at", ">=", from)
      .orderBy("started_at"),
  );
  const insert = keptStatement((tx: Tx, row: { agent_id: string; started_at: number; ended_at: number }) =>
    tx.insertInto("watched_spans").values(row),
  );
  const update = keptStatement((tx: Tx, { id, ...row }: { started_at: number; ended_at: number; id: number }) =>
    tx.updateTable("watched_spans").set(row).where("id", "=", id),
  );

  return async (tx: Tx, agentId: string, { from, to }: Span): Promise<void> => {
    const [first, ...others] = (await touching(tx, { agentId, to, from })).rows;
    if (first === undefined) return void (await insert(tx, { agent_id: agentId, started_at: from, ended_at: to }));
    const startedAt = Math.min(from, first.started_at);
    const endedAt = Math.max(to, first.ended_at, ...others.map((span) => span.ended_at));
    if (startedAt === first.started_at && endedAt === first.ended_at) return;
    const otherIds = others.map(({ id }) => id);
    if (otherIds.length > 0) await tx.deleteFrom("watched_spans").where("id", "in", otherIds).execute();
    await update(tx, { started_at: startedAt, ended_at: endedAt, id: first.id });
  };
}

/** The statements that every change runs, kept for one database. */
function createSaving() {
  type Tx = Kysely<ContainerTables>;
  // One that a replay has just told of is already there, as archived: what is live counts.
  const insert = keptStatement((tx: Tx, row: ReturnType<typeof containerToRow>) =>
    tx
      .insertInto("containers")
      .values(row)
      .onConflict((conflict) =>
        conflict.expression(sql`COALESCE(agent_id, ''), external_id`).doUpdateSet(({ ref }) => {
          const columns = Object.keys(row).filter(
            (column): column is keyof typeof row => column !== "agent_id" && column !== "external_id",
          );
          return Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)]));
        }),
      )
      .returning("id"),
  );
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
