import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import { inBatches, inTables, type Unit } from "../../storage/purge.ts";
import type { SilenceStatus, WindowStatus } from "./api.ts";
import type { MaintenanceWindow } from "./maintenance-window.ts";
import { silenceFromRow, silenceToRow, windowFromRow, windowToRow } from "./rows.ts";
import type { Silence } from "./silence.ts";
import type { SuppressionTables } from "./tables.ts";

type Tx = Kysely<SuppressionTables>;

const DELETED_AT_ONCE = 500;

/** A change of status of which everybody is to be told. */
export interface StatusTransition<Status> {
  id: number;
  from: Status;
  to: Status;
}

export type SilenceStore = ReturnType<typeof createSilenceStore>;
export type WindowStore = ReturnType<typeof createWindowStore>;

export function createSilenceStore(database: Database) {
  const tables = database.tables<SuppressionTables>();
  return {
    async load(): Promise<Silence[]> {
      const rows = await tables.read.selectFrom("silences").selectAll().orderBy("id").execute();
      return rows.map(silenceFromRow);
    },

    async insert(silence: Omit<Silence, "id">): Promise<Silence> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("silences").values(silenceToRow(silence)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...silence, id };
    },

    async update({ id, ...silence }: Silence): Promise<void> {
      await tables.write((tx) => tx.updateTable("silences").set(silenceToRow(silence)).where("id", "=", id).execute());
    },

    /** Answers those of which nobody else has told. */
    claim(transitions: readonly StatusTransition<SilenceStatus>[]): Promise<Set<number>> {
      return tables.write((tx) => claimAll(transitions, ({ id, from, to }) => claimSilence(tx, id, from, to)));
    },

    async remove(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("silences").where("id", "in", ids).execute());
    },

    /** In the caller's unit. */
    async purge(unit: Unit, ids: readonly number[]): Promise<void> {
      for (const some of inBatches(ids, DELETED_AT_ONCE))
        await inTables<SuppressionTables>(unit).deleteFrom("silences").where("id", "in", some).execute();
    },
  };
}

export function createWindowStore(database: Database) {
  const tables = database.tables<SuppressionTables>();
  return {
    async load(): Promise<MaintenanceWindow[]> {
      const rows = await tables.read.selectFrom("maintenance_windows").selectAll().orderBy("id").execute();
      return rows.map(windowFromRow);
    },

    async insert(window: Omit<MaintenanceWindow, "id">): Promise<MaintenanceWindow> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("maintenance_windows").values(windowToRow(window)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...window, id };
    },

    async update({ id, ...window }: MaintenanceWindow): Promise<void> {
      await tables.write((tx) => tx.updateTable("maintenance_windows").set(windowToRow(window)).where("id", "=", id).execute());
    },

    /** Answers those of which nobody else has told. */
    claim(transitions: readonly StatusTransition<WindowStatus>[]): Promise<Set<number>> {
      return tables.write((tx) => claimAll(transitions, ({ id, from, to }) => claimWindow(tx, id, from, to)));
    },

    async remove(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("maintenance_windows").where("id", "in", ids).execute());
    },
  };
}

async function claimAll<Status>(
  transitions: readonly StatusTransition<Status>[],
  claim: (transition: StatusTransition<Status>) => Promise<bigint>,
): Promise<Set<number>> {
  const ours = new Set<number>();
  for (const transition of transitions) {
    if ((await claim(transition)) === 1n) ours.add(transition.id);
  }
  return ours;
}

async function claimSilence(tx: Tx, id: number, from: SilenceStatus, to: SilenceStatus): Promise<bigint> {
  const { numUpdatedRows } = await tx
    .updateTable("silences")
    .set({ told: to })
    .where("id", "=", id)
    .where("told", "=", from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows;
}

async function claimWindow(tx: Tx, id: number, from: WindowStatus, to: WindowStatus): Promise<bigint> {
  const { numUpdatedRows } = await tx
    .updateTable("maintenance_windows")
    .set({ told: to })
    .where("id", "=", id)
    .where("told", "=", from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows;
}
