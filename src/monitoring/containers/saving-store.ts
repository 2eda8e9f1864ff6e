import { type Kysely, sql } from "kysely";
import { keptStatement, keptRows } from "../../storage/statements.ts";
import type { Container, Transition } from "./container.ts";
import { addGeneration, AGENT } from "./generations-store.ts";
import { containerToRow, ENDS, transitionToRow, type ContainerTables } from "./rows.ts";
import type { Span, PastGeneration } from "./uptime.ts";

/** A container to save with what happened to it; `id` undefined for a new one. */
export interface Change {
  id: number | undefined;
  next: Container;
  transitions: readonly Transition[];
  /** A transition that is known already, as it is to be instead. */
  corrected?: Transition;
  /** The container whose place it took. */
  past?: PastGeneration;
  /** The row that it had until then, which goes with its history. */
  absorbs?: number;
}

type Tx = Kysely<ContainerTables>;

/** Saves changes in their order, new containers in a row together; answers the containers' identifiers in that order. The statements are kept for one database. */
export function createSaving(): (tx: Tx, changes: readonly Change[]) => Promise<number[]> {
  // One that a replay has just stored is already there, as archived: what is live counts.
  const insert = keptRows((tx: Tx, rows: readonly ReturnType<typeof containerToRow>[]) =>
    tx
      .insertInto("containers")
      .values(rows)
      .onConflict((conflict) =>
        conflict.expression(sql`COALESCE(agent_id, ''), external_id`).doUpdateSet(({ ref }) => {
          // The keys of a row are names of columns.
          const columns = (Object.keys(rows[0] ?? {}) as (keyof ReturnType<typeof containerToRow>)[]).filter(
            (column) => column !== "agent_id" && column !== "external_id",
          );
          return Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)]));
        }),
      )
      .returning(["id", "external_id"]),
  );
  const update = keptStatement((tx: Tx, { id, ...row }: ReturnType<typeof containerToRow> & { id: number }) =>
    tx.updateTable("containers").set(row).where("id", "=", id),
  );
  const addTransitions = keptRows((tx: Tx, rows: readonly ReturnType<typeof transitionToRow>[]) =>
    tx
      .insertInto("transitions")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
  );

  async function insertAll(tx: Tx, changes: readonly Change[]): Promise<number[]> {
    const rows = await insert(
      tx,
      changes.map(({ next }) => containerToRow(next)),
    );
    const ids = new Map(rows.map(({ id, external_id }) => [external_id, id]));
    const saved = changes.map((change) => ({ ...change, id: idOf(ids, change.next) }));
    await addTransitions(
      tx,
      saved.flatMap(({ id, transitions }) => transitions.map((transition) => transitionToRow(id, transition, false))),
    );
    return saved.map(({ id }) => id);
  }

  async function saveOne(tx: Tx, change: Change): Promise<number> {
    const { id, next, transitions, corrected, past, absorbs } = change;
    if (absorbs !== undefined) await tx.deleteFrom("containers").where("id", "=", absorbs).execute();
    if (id !== undefined) await update(tx, { ...containerToRow(next), id });
    const saved = id ?? (await insertAll(tx, [{ id, next, transitions: [] }]))[0];
    if (saved === undefined) throw new Error("an inserted container has no id");
    if (past !== undefined) await addGeneration(tx, { containerId: saved, past });
    await addTransitions(
      tx,
      transitions.map((transition) => transitionToRow(saved, transition, false)),
    );
    if (corrected !== undefined) await correct(tx, saved, corrected);
    return saved;
  }

  return async (tx, changes) => {
    const ids: number[] = [];
    for (let from = 0; from < changes.length;) {
      const fresh = newOnes(changes, from);
      const [first] = changes.slice(from, from + 1);
      if (fresh.length > 0) ids.push(...(await insertAll(tx, fresh)));
      else if (first !== undefined) ids.push(await saveOne(tx, first));
      from += Math.max(1, fresh.length);
    }
    return ids;
  };
}

/** The containers from a place on that are new and nothing else. One statement must not meet the same container twice. */
function newOnes(changes: readonly Change[], from: number): Change[] {
  const names = new Set<string>();
  const isNew = ({ id, next, corrected, past, absorbs }: Change): boolean =>
    id === undefined && corrected === undefined && past === undefined && absorbs === undefined && !names.has(next.externalId);
  const fresh: Change[] = [];
  for (const change of changes.slice(from)) {
    if (!isNew(change)) break;
    names.add(change.next.externalId);
    fresh.push(change);
  }
  return fresh;
}

function idOf(ids: ReadonlyMap<string, number>, { externalId }: Container): number {
  const id = ids.get(externalId);
  if (id === undefined) throw new Error("an inserted container has no id");
  return id;
}

async function correct(tx: Tx, id: number, { newState, stopRequested, at }: Transition): Promise<void> {
  await tx
    .updateTable("transitions")
    .set({ new_state: newState, stop_requested: Number(stopRequested) })
    .where("container_id", "=", id)
    .where("occurred_at", "=", at.getTime())
    .where("new_state", "in", ENDS)
    .execute();
}

/** How to add a stretch: the same twice, or one that touches others, makes one of them. Each host says one every ten seconds, so the statements are kept. */
export function createSpanMerging() {
  const touching = keptStatement((tx: Tx, { agent, to, from }: { agent: string; to: number; from: number }) =>
    tx
      .selectFrom("watched_spans")
      .selectAll()
      .where(AGENT, "=", agent)
      .where("started_at", "<=", to)
      .where("ended_at", ">=", from)
      .orderBy("started_at"),
  );
  const insert = keptStatement((tx: Tx, row: { agent_id: string | null; started_at: number; ended_at: number }) =>
    tx.insertInto("watched_spans").values(row),
  );
  const update = keptStatement((tx: Tx, { id, ...row }: { started_at: number; ended_at: number; id: number }) =>
    tx.updateTable("watched_spans").set(row).where("id", "=", id),
  );

  return async (tx: Tx, agentId: string | null, { from, to }: Span): Promise<void> => {
    const [first, ...others] = (await touching(tx, { agent: agentId ?? "", to, from })).rows;
    if (first === undefined) return void (await insert(tx, { agent_id: agentId, started_at: from, ended_at: to }));
    const startedAt = Math.min(from, first.started_at);
    const endedAt = Math.max(to, first.ended_at, ...others.map((span) => span.ended_at));
    if (startedAt === first.started_at && endedAt === first.ended_at) return;
    const otherIds = others.map(({ id }) => id);
    if (otherIds.length > 0) await tx.deleteFrom("watched_spans").where("id", "in", otherIds).execute();
    await update(tx, { started_at: startedAt, ended_at: endedAt, id: first.id });
  };
}
