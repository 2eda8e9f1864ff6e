import type { Kysely, Selectable, Generated } from "kysely";
import { z } from "zod";
import type { Database } from "../../storage/database.ts";
import { inBatches, inTables, type Unit } from "../../storage/statements.ts";
import { type SilenceStatus, type WindowStatus, matchers as matchersBody, SILENCE_STATUSES, WINDOW_STATUSES } from "./api.ts";
import type { MaintenanceWindow } from "./maintenance-window.ts";
import type { StatusTransition } from "./register.ts";
import { type Silence, matchersRecord, readMatchers } from "./silence.ts";

/** The columns of this feature's tables; see storage/migrations/008-routing.ts for their meaning. */
interface SuppressionTables {
  silences: SilenceRow;
  maintenance_windows: WindowRow;
}

interface SilenceRow {
  id: Generated<number>;
  reason: string;
  starts_at: number;
  ends_at: number;
  matchers: string;
  created_by: string | null;
  created_at: number;
  cancelled_at: number | null;
  published: string;
}

interface WindowRow {
  id: Generated<number>;
  title: string;
  description: string;
  starts_at: number;
  ends_at: number;
  components: string;
  entities: string;
  created_at: number;
  updated_at: number;
  published: string;
}

const silencePublished = z.enum(SILENCE_STATUSES);
const windowPublished = z.enum(WINDOW_STATUSES);
const components = z.array(z.number());
const entities = z.array(z.object({ type: z.string(), id: z.string() }));

/** Rows were checked before they were saved. One that does not parse was changed by another program, which is a defect. */
function silenceFromRow(row: Selectable<SilenceRow>): Silence {
  return {
    id: row.id,
    reason: row.reason,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    matchers: readMatchers(matchersBody.parse(JSON.parse(row.matchers))),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    cancelledAt: row.cancelled_at === null ? null : new Date(row.cancelled_at),
    published: silencePublished.parse(row.published),
  };
}

function silenceToRow(silence: Omit<Silence, "id">): Omit<SilenceRow, "id"> {
  return {
    reason: silence.reason,
    starts_at: silence.startsAt.getTime(),
    ends_at: silence.endsAt.getTime(),
    matchers: JSON.stringify(matchersRecord(silence.matchers)),
    created_by: silence.createdBy,
    created_at: silence.createdAt.getTime(),
    cancelled_at: silence.cancelledAt === null ? null : silence.cancelledAt.getTime(),
    published: silence.published,
  };
}

function windowFromRow(row: Selectable<WindowRow>): MaintenanceWindow {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    components: components.parse(JSON.parse(row.components)),
    entities: entities.parse(JSON.parse(row.entities)),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    published: windowPublished.parse(row.published),
  };
}

function windowToRow(window: Omit<MaintenanceWindow, "id">): Omit<WindowRow, "id"> {
  return {
    title: window.title,
    description: window.description,
    starts_at: window.startsAt.getTime(),
    ends_at: window.endsAt.getTime(),
    components: JSON.stringify(window.components),
    entities: JSON.stringify(window.entities),
    created_at: window.createdAt.getTime(),
    updated_at: window.updatedAt.getTime(),
    published: window.published,
  };
}

type Tx = Kysely<SuppressionTables>;

const DELETED_AT_ONCE = 500;

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

    claim: (transitions: readonly StatusTransition<SilenceStatus>[]) => tables.write((tx) => claim(tx, "silences", transitions)),

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

    claim: (transitions: readonly StatusTransition<WindowStatus>[]) => tables.write((tx) => claim(tx, "maintenance_windows", transitions)),

    async remove(ids: readonly number[]): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("maintenance_windows").where("id", "in", ids).execute());
    },
  };
}

/** Answers the ids that no other program has published. */
async function claim<Status extends string>(
  tx: Tx,
  table: "silences" | "maintenance_windows",
  transitions: readonly StatusTransition<Status>[],
): Promise<Set<number>> {
  const ours = new Set<number>();
  for (const { id, from, to } of transitions) {
    const { numUpdatedRows } = await tx
      .updateTable(table)
      .set({ published: to })
      .where("id", "=", id)
      .where("published", "=", from)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) ours.add(id);
  }
  return ours;
}
