import type { Selectable, Generated } from "kysely";
import { z } from "zod";
import type { Database } from "../../storage/database.ts";
import { filterTexts, savedFilters, type Trigger } from "./filters.ts";

export type TriggerStore = ReturnType<typeof createTriggerStore>;

export function createTriggerStore(database: Database) {
  const tables = database.tables<RoutingTables>();
  return {
    async load(): Promise<Trigger[]> {
      const rows = await tables.read.selectFrom("alert_triggers").selectAll().orderBy("id").execute();
      return rows.map(triggerFromRow);
    },

    /** undefined when another trigger has its name. */
    insert(trigger: Omit<Trigger, "id">): Promise<Trigger | undefined> {
      return tables.write(async (tx) => {
        const row = await tx
          .insertInto("alert_triggers")
          .values(triggerToRow(trigger))
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        return row === undefined ? undefined : { ...trigger, id: row.id };
      });
    },

    async update({ id, ...trigger }: Trigger): Promise<void> {
      await tables.write((tx) => tx.updateTable("alert_triggers").set(triggerToRow(trigger)).where("id", "=", id).execute());
    },

    async remove(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("alert_triggers").where("id", "=", id).execute());
    },
  };
}

const channelIds = z.array(z.number());

function triggerFromRow(row: Selectable<TriggerRow>): Trigger {
  return {
    id: row.id,
    name: row.name,
    filters: savedFilters(row),
    enabled: row.enabled === 1,
    notifyOnResolve: row.notify_on_resolve === 1,
    channelIds: channelIds.parse(JSON.parse(row.channel_ids)),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function triggerToRow(trigger: Omit<Trigger, "id">): Omit<TriggerRow, "id"> {
  return {
    name: trigger.name,
    ...filterTexts(trigger.filters),
    enabled: trigger.enabled ? 1 : 0,
    notify_on_resolve: trigger.notifyOnResolve ? 1 : 0,
    channel_ids: JSON.stringify(trigger.channelIds),
    created_at: trigger.createdAt.getTime(),
    updated_at: trigger.updatedAt.getTime(),
  };
}

/** The columns of this feature's table; see storage/migrations/008-routing.ts. */
interface RoutingTables {
  alert_triggers: TriggerRow;
}

interface TriggerRow {
  id: Generated<number>;
  name: string;
  filter_severities: string;
  filter_sources: string;
  filter_entities: string;
  filter_tags: string;
  enabled: number;
  notify_on_resolve: number;
  channel_ids: string;
  created_at: number;
  updated_at: number;
}
