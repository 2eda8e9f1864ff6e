import type { Kysely } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement } from "../../storage/kept-statement.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import { type ChannelState, nameKey, type NewChannel, type Rule, type SavedChannel } from "./channel.ts";
import { channelFromRow, channelToRow, openRow, ruleFromRow, ruleToRow, sealedColumns, stateToRow, WITHOUT_SECRETS } from "./rows.ts";
import type { ChannelTables } from "./tables.ts";

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(database: Database, secrets: StoredSecrets) {
  const tables = database.tables<ChannelTables>();
  const updateState = keptStatement((tx: Kysely<ChannelTables>, { id, ...state }: ReturnType<typeof stateToRow> & { id: number }) =>
    tx.updateTable("channels").set(state).where("id", "=", id),
  );

  return {
    async load(): Promise<SavedChannel[]> {
      const rows = await tables.read.selectFrom("channels").selectAll().orderBy("id").execute();
      const rules = await tables.read.selectFrom("channel_rules").selectAll().orderBy("id").execute();
      const byChannel = Map.groupBy(rules, ({ channel_id }) => channel_id);
      return rows.map((row) => channelFromRow(openRow(row, secrets), (byChannel.get(row.id) ?? []).map(ruleFromRow)));
    },

    /** Answers the identifier; undefined when the name is taken. */
    async insert(channel: NewChannel): Promise<number | undefined> {
      return tables.write(async (tx) => {
        const row = await tx
          .insertInto("channels")
          .values({ ...channelToRow(channel), ...WITHOUT_SECRETS })
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        // Sealed for its id, which is known only now.
        if (row !== undefined)
          await tx
            .updateTable("channels")
            .set(sealedColumns(channel, row.id, secrets))
            .where("id", "=", row.id)
            .execute();
        return row?.id;
      });
    },

    /** False when the name is taken. */
    async update({ id, ...channel }: SavedChannel): Promise<boolean> {
      return tables.write(async (tx) => {
        const other = await tx
          .selectFrom("channels")
          .select("id")
          .where("name_key", "=", nameKey(channel.name))
          .where("id", "!=", id)
          .executeTakeFirst();
        if (other !== undefined) return false;
        await tx
          .updateTable("channels")
          .set({ ...channelToRow(channel), ...sealedColumns(channel, id, secrets) })
          .where("id", "=", id)
          .execute();
        return true;
      });
    },

    /** What came of deliveries, of many channels together. */
    async saveStates(channels: readonly (ChannelState & { id: number })[]): Promise<void> {
      await tables.write(async (tx) => {
        for (const channel of channels) await updateState(tx, { ...stateToRow(channel), id: channel.id });
      });
    },

    /** With its rules. */
    async remove(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("channels").where("id", "=", id).execute());
    },

    async addRule(channelId: number, rule: Omit<Rule, "id">): Promise<Rule> {
      const { id } = await tables.write((tx) =>
        tx.insertInto("channel_rules").values(ruleToRow(channelId, rule)).returning("id").executeTakeFirstOrThrow(),
      );
      return { ...rule, id };
    },

    async removeRule(id: number): Promise<void> {
      await tables.write((tx) => tx.deleteFrom("channel_rules").where("id", "=", id).execute());
    },
  };
}
