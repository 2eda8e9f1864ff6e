import { type Kysely, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement } from "../../storage/statements.ts";
import type { Container, Transition } from "./container.ts";
import { type PastGeneration, pastOf } from "./uptime.ts";
import { addGeneration, AGENT, noteDeparture } from "./generations-store.ts";
import { containerFromRow, containerToRow, ENDS, transitionToRow, type ContainerTables } from "./rows.ts";

/** One thing that a host saw of a container while it was cut off. */
export type ReplayedStep = { externalId: string; at: Date } & (
  | { what: "seen"; container: Container; transition: Transition }
  | { what: "gone" }
  | { what: "last_words"; snippet: string }
);

/** What is known of a container to which steps are added. */
interface KnownContainer {
  id: number;
  /** Of the container that is there now, or was last: maybe not the one that a step is about. */
  external_id: string;
  identity: string;
  is_ignored: number;
  last_observed_at: number;
  archived_at: number | null;
}

const KNOWN = ["id", "external_id", "identity", "is_ignored", "last_observed_at", "archived_at"] as const;

/** What is known of the containers of some steps, up to date while these are saved. */
interface Known {
  byId: Map<number, KnownContainer>;
  /** Also of what was re-created since, or meanwhile. */
  idByExternalId: Map<string, number>;
  idByIdentity: Map<string, number>;
}

/** A step before which, or as which, another is put. */
interface KnownStep {
  id: number;
  new_state: string;
  exit_code: number | null;
  stop_requested: number;
  occurred_at: number;
}

/** An inventory knows the end of a container by its own clock, which news of it follow within a moment. */
const SAME_END_MS = 2000;

type Tx = Kysely<ContainerTables>;

export type ReplayStore = ReturnType<typeof createReplayStore>;

/** Adds to the histories of containers, and touches no container that is present. */
export function createReplayStore(database: Database) {
  const tables = database.tables<ContainerTables>();
  const statements = createStatements();

  /** By their external ids, and by the identities of those of which nothing is known. */
  async function load(tx: Tx, agentId: string | null, steps: readonly ReplayedStep[]): Promise<Known> {
    const known: Known = { byId: new Map(), idByExternalId: new Map(), idByIdentity: new Map() };
    const ofHost = tx
      .selectFrom("containers")
      .select(KNOWN)
      .where(AGENT, "=", agentId ?? "");
    const externalIds = [...new Set(steps.map(({ externalId }) => externalId))];
    const past = await tx
      .selectFrom("container_generations")
      .innerJoin("containers", "containers.id", "container_generations.container_id")
      .select(KNOWN.map((column) => `containers.${column}` as const))
      .select("container_generations.external_id as step_id")
      .where(sql<string>`COALESCE(container_generations.agent_id, '')`, "=", agentId ?? "")
      .where("container_generations.external_id", "in", externalIds)
      .execute();
    for (const { step_id, ...row } of past) keep(known, row, step_id);
    for (const row of await ofHost.where("external_id", "in", externalIds).execute()) keep(known, row, row.external_id);
    const others = steps.flatMap((step) =>
      step.what === "seen" && !known.idByExternalId.has(step.externalId) ? [step.container.identity] : [],
    );
    if (others.length === 0) return known;
    // The one that was there last comes last.
    for (const row of await ofHost
      .where("identity", "in", [...new Set(others)])
      .orderBy("last_observed_at")
      .execute()) {
      known.byId.set(row.id, row);
      known.idByIdentity.set(row.identity, row.id);
    }
    return known;
  }

  /** A container that is not known is added as archived: what is known of it is its past. */
  async function see(tx: Tx, known: KnownContainer | undefined, { container }: ReplayedStep & { what: "seen" }): Promise<KnownContainer> {
    const at = container.lastObservedAt.getTime();
    const row = containerToRow({ ...container, archivedAt: container.lastObservedAt, removedAt: container.lastObservedAt });
    if (known === undefined) {
      const { id } = await tx.insertInto("containers").values(row).returning("id").executeTakeFirstOrThrow();
      const { externalId, identity } = container;
      return { id, external_id: externalId, identity, is_ignored: 0, last_observed_at: at, archived_at: at };
    }
    const isLatest = known.archived_at !== null && at > known.last_observed_at;
    if (known.external_id !== container.externalId) {
      const past = isLatest ? await takePlace(tx, known.id, container) : pastOf(container, container.lastObservedAt);
      await addGeneration(tx, { containerId: known.id, past });
    }
    // Of one that is gone the last that was seen stays.
    if (!isLatest) return known;
    const { first_seen_at: _, identity: __, removed_at: ___, ...last } = row;
    await tx.updateTable("containers").set(last).where("id", "=", known.id).where("archived_at", "is not", null).execute();
    return { ...known, external_id: container.externalId, last_observed_at: at, archived_at: at };
  }

  /** One that was gone was re-created, and is gone again: answers what it was before. */
  async function takePlace(tx: Tx, id: number, { createdAt, lastObservedAt }: Container): Promise<PastGeneration> {
    const row = await tx.selectFrom("containers").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const recreated_at = (createdAt ?? lastObservedAt).getTime();
    await tx.updateTable("containers").set({ recreated_at }).where("id", "=", id).execute();
    return pastOf(containerFromRow(row), lastObservedAt);
  }

  /** That it is gone may have been noticed later than it went; nothing was seen of it in between. */
  async function leave(tx: Tx, known: KnownContainer, at: number): Promise<KnownContainer> {
    if (known.archived_at === null || known.archived_at === at) return known;
    const later = (await statements.after(tx, { container_id: known.id, at })).rows[0];
    if (later !== undefined) return known;
    const last_observed_at = Math.max(known.last_observed_at, at);
    await tx.updateTable("containers").set({ archived_at: at, last_observed_at }).where("id", "=", known.id).execute();
    return { ...known, archived_at: at, last_observed_at };
  }

  async function addSnippet(tx: Tx, id: number, { at, snippet }: ReplayedStep & { what: "last_words" }): Promise<void> {
    const ended = await tx
      .selectFrom("transitions")
      .select("id")
      .where("container_id", "=", id)
      .where("occurred_at", "<=", at.getTime())
      .where("occurred_at", ">=", at.getTime() - SAME_END_MS)
      .where("new_state", "in", ENDS)
      .orderBy("occurred_at", "desc")
      .orderBy("id", "desc")
      .executeTakeFirst();
    if (ended === undefined) return;
    await tx.updateTable("transitions").set({ log_snippet: snippet }).where("id", "=", ended.id).where("log_snippet", "is", null).execute();
  }

  /** Puts a transition in its place between those known; one already known changes nothing. */
  async function insertBetween(tx: Tx, container_id: number, transition: Transition): Promise<void> {
    const at = transition.at.getTime();
    const [before] = (await statements.before(tx, { container_id, at })).rows;
    if (before !== undefined && isSameEnd(before, transition)) return completeEnd(tx, before, transition);
    if (before?.new_state === transition.newState && before.new_health === transition.newHealth) return;
    const row = transitionToRow(container_id, transition, true);
    const inserted = await statements.insert(tx, {
      ...row,
      previous_state: before?.new_state ?? null,
      previous_health: before?.new_health ?? null,
    });
    if (inserted.rows.length === 0) return;
    const [after] = (await statements.after(tx, { container_id, at })).rows;
    // That it was gone showed a listing that did not know how.
    const wasGuessed = after?.new_state === "exited" && after.exit_code === null && ENDS.includes(transition.newState);
    if (after !== undefined && wasGuessed) await tx.deleteFrom("transitions").where("id", "=", after.id).execute();
    else if (after !== undefined)
      await statements.setPrevious(tx, { previous_state: transition.newState, previous_health: transition.newHealth, id: after.id });
  }

  /** An inventory finds out that a container had ended, but not always how. */
  async function completeEnd(tx: Tx, known: KnownStep, { newState, exitCode, oomKilled, stopRequested }: Transition): Promise<void> {
    const code = known.exit_code === null && exitCode !== null ? { exit_code: exitCode, oom_killed: Number(oomKilled) } : {};
    const asked = stopRequested && known.stop_requested === 0 ? { stop_requested: 1, new_state: newState } : {};
    const learned = { ...code, ...asked };
    if (Object.keys(learned).length > 0) await tx.updateTable("transitions").set(learned).where("id", "=", known.id).execute();
  }

  return {
    /** Saves steps of one host together, in order. Those of ignored containers, and of ones that nothing else is known of, are left out. */
    async save(agentId: string | null, steps: readonly ReplayedStep[]): Promise<void> {
      if (steps.length === 0) return;
      await tables.write(async (tx) => {
        const known = await load(tx, agentId, steps);
        for (const step of steps) {
          const container = find(known, step);
          if (container?.is_ignored === 1) continue;
          if (step.what === "seen") {
            const seen = await see(tx, container, step);
            keep(known, seen, step.externalId);
            // Whose place the next one of its identity takes.
            if (container === undefined) known.idByIdentity.set(seen.identity, seen.id);
            await insertBetween(tx, seen.id, step.transition);
          } else if (container?.external_id === step.externalId && step.what === "gone") {
            keep(known, await leave(tx, container, step.at.getTime()), step.externalId);
          } else if (container !== undefined && step.what === "gone") {
            await noteDeparture(tx, { agentId, ...step });
          } else if (container !== undefined && step.what === "last_words") {
            await addSnippet(tx, container.id, step);
          }
        }
      });
    },
  };
}

function find({ byId, idByExternalId, idByIdentity }: Known, step: ReplayedStep): KnownContainer | undefined {
  const id = idByExternalId.get(step.externalId) ?? (step.what === "seen" ? idByIdentity.get(step.container.identity) : undefined);
  return id === undefined ? undefined : byId.get(id);
}

function keep({ byId, idByExternalId }: Known, container: KnownContainer, externalId: string): void {
  byId.set(container.id, container);
  idByExternalId.set(externalId, container.id);
}

/** Whether both report the same end, which a policy may have turned into a restart. */
function isSameEnd(known: KnownStep, { newState, exitCode, at }: Transition): boolean {
  const isClose = at.getTime() - known.occurred_at <= SAME_END_MS;
  const isAlike = known.exit_code === null || exitCode === null || known.exit_code === exitCode;
  return isClose && isAlike && ENDS.includes(known.new_state) && ENDS.includes(newState);
}

/** What every step runs, kept for one database. */
function createStatements() {
  interface Place {
    container_id: number;
    at: number;
  }
  return {
    before: keptStatement((tx: Tx, { container_id, at }: Place) =>
      tx
        .selectFrom("transitions")
        .select(["id", "new_state", "new_health", "exit_code", "stop_requested", "occurred_at"])
        .where("container_id", "=", container_id)
        .where("occurred_at", "<=", at)
        .orderBy("occurred_at", "desc")
        .orderBy("id", "desc")
        .limit(sql.lit(1)),
    ),
    after: keptStatement((tx: Tx, { container_id, at }: Place) =>
      tx
        .selectFrom("transitions")
        .select(["id", "new_state", "exit_code"])
        .where("container_id", "=", container_id)
        .where("occurred_at", ">", at)
        .orderBy("occurred_at")
        .orderBy("id")
        .limit(sql.lit(1)),
    ),
    insert: keptStatement((tx: Tx, row: ReturnType<typeof transitionToRow>) =>
      tx
        .insertInto("transitions")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id"),
    ),
    setPrevious: keptStatement((tx: Tx, { id, ...row }: { previous_state: string; previous_health: string | null; id: number }) =>
      tx.updateTable("transitions").set(row).where("id", "=", id),
    ),
  };
}
