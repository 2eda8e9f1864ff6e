import { type Insertable, type Kysely, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { PauseChange, Pauses } from "../pause-store.ts";
import { columnOf, updateRows, keptStatement, keptRows } from "../../storage/statements.ts";
import type { SavedHeartbeat } from "./changes.ts";
import type { Change, Heartbeat, Times } from "./heartbeat.ts";
import {
  dayToRow,
  heartbeatFromRow,
  type KeptPing,
  pingToRow,
  settingsToRow,
  stateToRow,
  type DayRow,
  type HeartbeatRow,
  type HeartbeatTables,
  SETTINGS_TYPES,
  type SettingsColumns,
  STATE_TYPES,
  type StateColumns,
} from "./rows.ts";
import type { EndedRun, Run } from "./schedule.ts";
import type { Day } from "./uptime.ts";

/** What happened to a heartbeat, to be saved together. */
export interface Saving {
  next: SavedHeartbeat;
  /** In order; each with the runs that are over by it. */
  steps: readonly { ended: readonly EndedRun[]; ping: KeptPing | undefined }[];
  past: readonly Day[];
  /** A pause begins, or ends. */
  pause?: PauseChange | undefined;
}

/** What became of a heartbeat without a ping. */
export function savingOf(id: number, { next, ended, past }: Change): Saving {
  return { next: { ...next, id }, steps: [{ ended, ping: undefined }], past };
}

/** A heartbeat that has something to judge, and the time by which that is claimed. */
export interface Due {
  id: number;
  dueAt: Date;
}

const LOADED_AT_ONCE = 500;

type Tx = Kysely<HeartbeatTables>;
type StateRow = StateColumns & { id: number };

export type HeartbeatStore = ReturnType<typeof createHeartbeatStore>;

export function createHeartbeatStore(database: Database, pauses: Pick<Pauses, "save">) {
  const tables = database.tables<HeartbeatTables>();
  const save = createSaving();

  async function openRuns(): Promise<Map<number, Run[]>> {
    const rows = await tables.read
      .selectFrom("heartbeat_pings")
      .select(["heartbeat_id", "rid", "received_at"])
      .where("outcome", "=", sql.lit("running"))
      .orderBy("id")
      .execute();
    const runs = new Map<number, Run[]>();
    for (const { heartbeat_id, rid, received_at } of rows) {
      const run = { rid, startedAt: new Date(received_at) };
      const known = runs.get(heartbeat_id);
      if (known === undefined) runs.set(heartbeat_id, [run]);
      else known.push(run);
    }
    return runs;
  }

  return {
    /** Page by page, since there may be many. */
    async *all(times: Times): AsyncGenerator<SavedHeartbeat> {
      const runs = await openRuns();
      for (let last = 0; ;) {
        const rows = await tables.read
          .selectFrom("heartbeats")
          .selectAll()
          .where("deleted_at", "is", null)
          .where("id", ">", last)
          .orderBy("id")
          .limit(LOADED_AT_ONCE)
          .execute();
        for (const row of rows) yield heartbeatFromRow(row, runs.get(row.id) ?? [], times);
        last = rows.at(-1)?.id ?? last;
        if (rows.length < LOADED_AT_ONCE) return;
      }
    },

    /** Those that have something to judge by now, the longest due first. */
    async due(now: Date, limit: number): Promise<Due[]> {
      const rows = await tables.read
        .selectFrom("heartbeats")
        .select(["id", "due_at"])
        .where("due_at", "<=", now.getTime())
        .orderBy("due_at")
        .limit(limit)
        .execute();
      return rows.map(({ id, due_at }) => ({ id, dueAt: new Date(due_at ?? 0) }));
    },

    /** Saves new ones and the settings of others together, with what `also` saves in the same unit; answers the new ones in the order given. */
    async setUp(
      { created, changed }: { created: readonly Heartbeat[]; changed: readonly Saving[] },
      also: (unit: object, saved: readonly SavedHeartbeat[]) => Promise<void>,
    ): Promise<SavedHeartbeat[]> {
      if (created.length + changed.length === 0) return [];
      return tables.write(async (tx) => {
        await save.settings(tx, changed);
        await save.all(tx, changed);
        for (const { next, pause } of changed) if (pause !== undefined) await pauses.save(tx, next.id, pause);
        const ids = await save.create(tx, created);
        const saved = created.map((heartbeat, index) => ({ ...heartbeat, id: ids[index] ?? 0 }));
        await also(tx, saved);
        return saved;
      });
    },

    /** Saves states and histories together, and in the same unit what else belongs to them. */
    async save(savings: readonly Saving[], also?: (tx: Tx) => Promise<void>): Promise<void> {
      await tables.write(async (tx) => {
        await save.all(tx, savings);
        await also?.(tx);
      });
    },

    /** Saves what was judged, of those alone that nobody else has claimed, with what `also` saves of these in the same unit; answers which. */
    claim(
      judged: readonly { due: Due; saving: Saving }[],
      also: (unit: object, claimed: ReadonlySet<number>) => Promise<void>,
    ): Promise<Set<number>> {
      return tables.write(async (tx) => {
        const claimed = await save.claimed(tx, judged);
        await also(tx, claimed);
        return claimed;
      });
    },

    /** Gone at once; its rows go later, in batches. */
    async markDeleted(id: number, now: Date, also: (unit: object) => Promise<void>): Promise<void> {
      await tables.write(async (tx) => {
        await tx.updateTable("heartbeats").set({ deleted_at: now.getTime(), due_at: null }).where("id", "=", id).execute();
        await also(tx);
      });
    },
  };
}

/** The statements that every ping runs, kept for one database. */
function createSaving() {
  const insert = keptRows((tx: Tx, rows: readonly Omit<Insertable<HeartbeatRow>, "id">[]) =>
    tx.insertInto("heartbeats").values(rows).returning("id"),
  );
  const updateSettings = keptRows((tx: Tx, rows: readonly (SettingsColumns & { id: number })[]) =>
    updateRows(tx, { table: "heartbeats", types: SETTINGS_TYPES, rows }),
  );
  const updateStates = keptRows((tx: Tx, rows: readonly StateRow[]) => updateRows(tx, { table: "heartbeats", types: STATE_TYPES, rows }));
  const claimStates = keptRows((tx: Tx, rows: readonly (StateRow & { claimed_due_at: number })[]) =>
    updateRows(tx, {
      table: "heartbeats",
      types: STATE_TYPES,
      rows,
      condition: sql`AND due_at = CAST(${columnOf(rows, "claimed_due_at")} AS BIGINT) AND deleted_at IS NULL`,
    }),
  );
  const addPings = keptRows((tx: Tx, rows: readonly ReturnType<typeof pingToRow>[]) => tx.insertInto("heartbeat_pings").values(rows));
  const addDays = keptRows((tx: Tx, rows: readonly DayRow[]) =>
    tx
      .insertInto("heartbeat_days")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
  );
  const endRun = keptStatement(
    (tx: Tx, { id, rid, ...end }: { outcome: string; ended_at: number; run_exit_code: number | null; id: number; rid: string | null }) =>
      tx
        .updateTable("heartbeat_pings")
        .set(end)
        .where("heartbeat_id", "=", id)
        .where("outcome", "=", sql.lit("running"))
        .where("rid", "is not distinct from", rid),
  );

  async function saveHistory(tx: Tx, savings: readonly Saving[]): Promise<void> {
    const [withEnds, withoutEnds] = partition(savings, ({ steps }) => steps.some(({ ended }) => ended.length > 0));
    await addPings(
      tx,
      withoutEnds.flatMap(({ next, steps }) => steps.flatMap(({ ping }) => (ping === undefined ? [] : [pingToRow(next.id, ping)]))),
    );
    for (const { next, steps } of withEnds) for (const step of steps) await saveStep(tx, next.id, step);
    await addDays(
      tx,
      savings.flatMap(({ next, past }) => past.map((day) => dayToRow(next.id, day))),
    );
  }

  /** The runs that are over first: the ping may begin another one under the same rid. */
  async function saveStep(tx: Tx, id: number, { ended, ping }: Saving["steps"][number]): Promise<void> {
    for (const { rid, endedAt, outcome, exitCode } of ended) {
      await endRun(tx, { outcome, ended_at: endedAt.getTime(), run_exit_code: exitCode, id, rid });
    }
    if (ping !== undefined) await addPings(tx, [pingToRow(id, ping)]);
  }

  return {
    /** Answers the identifiers in the order given. */
    async create(tx: Tx, heartbeats: readonly Heartbeat[]): Promise<number[]> {
      const rows = heartbeats.map((heartbeat) => ({
        uuid: heartbeat.uuid,
        agent_id: heartbeat.agentId,
        caller_key: heartbeat.callerKey,
        created_at: heartbeat.createdAt.getTime(),
        deleted_at: null,
        ...settingsToRow(heartbeat),
        ...stateToRow(heartbeat),
      }));
      // The rows of a statement are numbered in their order, and may be returned in another.
      return (await insert(tx, rows)).map(({ id }) => id).sort((a, b) => a - b);
    },
    async settings(tx: Tx, savings: readonly Saving[]): Promise<void> {
      await updateSettings(
        tx,
        savings.map(({ next }) => ({ ...settingsToRow(next), id: next.id })),
      );
    },
    async all(tx: Tx, savings: readonly Saving[]): Promise<void> {
      await updateStates(
        tx,
        savings.map(({ next }) => ({ ...stateToRow(next), id: next.id })),
      );
      await saveHistory(tx, savings);
    },
    /** A row that changed is ours: nobody else finds it due at that time any more. */
    async claimed(tx: Tx, judged: readonly { due: Due; saving: Saving }[]): Promise<Set<number>> {
      const rows = judged.map(({ due, saving }) => ({ ...stateToRow(saving.next), id: due.id, claimed_due_at: due.dueAt.getTime() }));
      const claimed = new Set((await claimStates(tx, rows)).map(({ id }) => id));
      await saveHistory(
        tx,
        judged.filter(({ due }) => claimed.has(due.id)).map(({ saving }) => saving),
      );
      return claimed;
    },
  };
}

function partition<Item>(items: readonly Item[], belongsFirst: (item: Item) => boolean): [first: Item[], second: Item[]] {
  return [items.filter(belongsFirst), items.filter((item) => !belongsFirst(item))];
}
