import type { Kysely } from "kysely";
import { SCOPES } from "../../../contract/scope.ts";
import type { Database } from "../../../storage/database.ts";
import { inTables, type Unit, keptRows } from "../../../storage/statements.ts";
import { oldestDay } from "./account.ts";
import type { SavedGroup } from "./arrangement.ts";
import { DELETED_HOST, type SavedComponent } from "./component.ts";
import {
  componentFromRow,
  componentToRow,
  dayFromRow,
  dayToRow,
  groupFromRow,
  groupToRow,
  type SavedDay,
  type ComponentTables,
  type DayRow,
} from "./rows.ts";

type Tx = Kysely<ComponentTables>;

/** What is saved together. */
export interface Changes {
  groups?: readonly SavedGroup[];
  components?: readonly SavedComponent[];
  days?: readonly SavedDay[];
  /** Of which nothing changed but when they were last observed. */
  observed?: readonly SavedComponent[];
}

export type ComponentStore = ReturnType<typeof createComponentStore>;

export function createComponentStore(database: Database) {
  const tables = database.tables<ComponentTables>();
  const putDays = keptRows((tx: Tx, rows: readonly DayRow[]) =>
    tx
      .insertInto("status_days")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["component_id", "day"]).doUpdateSet(({ ref }) => ({
          operational_ms: ref("excluded.operational_ms"),
          degraded_ms: ref("excluded.degraded_ms"),
          maintenance_ms: ref("excluded.maintenance_ms"),
          partial_outage_ms: ref("excluded.partial_outage_ms"),
          major_outage_ms: ref("excluded.major_outage_ms"),
        })),
      ),
  );

  async function saveAll(tx: Tx, { groups = [], components = [], days = [], observed = [] }: Changes): Promise<void> {
    for (const { id, ...group } of groups) await tx.updateTable("status_groups").set(groupToRow(group)).where("id", "=", id).execute();
    for (const { id, ...component } of components)
      await tx.updateTable("status_components").set(componentToRow(component)).where("id", "=", id).execute();
    for (const [at, seen] of Map.groupBy(observed, ({ lastObservedAt }) => lastObservedAt.getTime())) {
      const ids = seen.map(({ id }) => id);
      await tx.updateTable("status_components").set({ last_observed_at: at }).where("id", "in", ids).execute();
    }
    await putDays(tx, days.map(dayToRow));
  }

  return {
    /** Days before those of the page are left out. */
    async load(now: Date): Promise<{ groups: SavedGroup[]; components: SavedComponent[]; days: SavedDay[] }> {
      const groups = await tables.read.selectFrom("status_groups").selectAll().execute();
      const components = await tables.read.selectFrom("status_components").selectAll().execute();
      const days = await tables.read.selectFrom("status_days").selectAll().where("day", ">=", oldestDay(now)).execute();
      return {
        groups: groups.map(groupFromRow),
        components: components.map((row) => componentFromRow(row, now)),
        days: days.map(dayFromRow),
      };
    },

    async insertGroup(group: Omit<SavedGroup, "id">): Promise<SavedGroup> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("status_groups").values(groupToRow(group)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...group, id };
    },

    /** `components` are those that were in it, as they become. */
    async removeGroup(id: number, components: readonly SavedComponent[]): Promise<void> {
      await tables.write(async (tx) => {
        await saveAll(tx, { components });
        await tx.deleteFrom("status_groups").where("id", "=", id).execute();
      });
    },

    async insertComponent(component: Omit<SavedComponent, "id">): Promise<SavedComponent> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("status_components").values(componentToRow(component)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...component, id };
    },

    /** With its days. */
    async removeComponent(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("status_components").where("id", "=", id).execute());
    },

    async save(changes: Changes): Promise<void> {
      await tables.write((tx) => saveAll(tx, changes));
    },

    /** Of components that stand for something of an agent's host, in the caller's unit. */
    async forgetHost(unit: Unit, agentId: string): Promise<void> {
      const tx = inTables<ComponentTables>(unit);
      await tx.updateTable("status_components").set({ agent_id: DELETED_HOST }).where("agent_id", "=", agentId).execute();
      await tx
        .updateTable("status_components")
        .set({ monitor_scope: DELETED_HOST })
        .where("monitor_scope", "=", agentId)
        .where("monitor_type", "=", SCOPES.host)
        .execute();
    },

    async prune(oldest: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("status_days").where("day", "<", oldest).execute());
    },
  };
}
