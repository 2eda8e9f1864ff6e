import type { Kysely, Insertable, Selectable, Generated } from "kysely";
import type { Database } from "../../storage/database.ts";
import { keptStatement } from "../../storage/statements.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import { ALERT_SOURCES, nameKey, SEVERITIES } from "../vocabulary.ts";
import { CHANNEL_HEALTHS, CHANNEL_TYPES } from "./api.ts";
import { type ChannelState, type NewChannel, type Rule, type SavedChannel } from "./channel.ts";
import { readHeaders } from "./headers.ts";

/** The columns of this feature's tables; see storage/migrations/007-channels.ts for their meaning. */
interface ChannelTables {
  channels: ChannelRow;
  channel_rules: RuleRow;
}

interface ChannelRow {
  id: Generated<number>;
  name: string;
  name_key: string;
  type: string;
  url: string;
  headers: string;
  enabled: number;
  health: string;
  last_error: string | null;
  last_delivery_at: number | null;
  created_at: number;
  updated_at: number;
}

interface RuleRow {
  id: Generated<number>;
  channel_id: number;
  source: string | null;
  severity: string | null;
  entity_type: string | null;
  entity_id: string | null;
}

/** The columns with secrets. */
type SecretColumns = Pick<ChannelRow, "url" | "headers">;

const WITHOUT_SECRETS: SecretColumns = { url: "", headers: "" };

/** The columns of a channel without its secrets and the outcome of deliveries. */
function channelToRow(channel: NewChannel): Omit<Insertable<ChannelRow>, keyof SecretColumns | keyof ReturnType<typeof stateToRow>> {
  return {
    name: channel.name,
    name_key: nameKey(channel.name),
    type: channel.type,
    enabled: channel.enabled ? 1 : 0,
    created_at: channel.createdAt.getTime(),
    updated_at: channel.updatedAt.getTime(),
  };
}

function sealedColumns({ url, headers }: NewChannel, id: number, secrets: StoredSecrets): SecretColumns {
  return {
    url: secrets.seal(url, { table: "channels", column: "url", id }),
    headers: secrets.seal(JSON.stringify(headers), { table: "channels", column: "headers", id }),
  };
}

function openRow(row: Selectable<ChannelRow>, secrets: StoredSecrets): Selectable<ChannelRow> {
  return {
    ...row,
    url: secrets.open(row.url, { table: "channels", column: "url", id: row.id }),
    headers: secrets.open(row.headers, { table: "channels", column: "headers", id: row.id }),
  };
}

function stateToRow({ health, lastError, lastDeliveryAt }: ChannelState): Pick<ChannelRow, "health" | "last_error" | "last_delivery_at"> {
  return { health, last_error: lastError, last_delivery_at: lastDeliveryAt?.getTime() ?? null };
}

function channelFromRow(row: Selectable<ChannelRow>, rules: readonly Rule[]): SavedChannel {
  const headers = readHeaders(row.headers);
  return {
    id: row.id,
    name: row.name,
    type: known(CHANNEL_TYPES, row.type),
    url: row.url,
    headers: "headers" in headers ? headers.headers : {},
    enabled: row.enabled === 1,
    health: known(CHANNEL_HEALTHS, row.health),
    lastError: row.last_error,
    lastDeliveryAt: row.last_delivery_at === null ? null : new Date(row.last_delivery_at),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    rules,
  };
}

function ruleToRow(channelId: number, { source, severity, entityType, entityId }: Omit<Rule, "id">): Insertable<RuleRow> {
  return { channel_id: channelId, source, severity, entity_type: entityType, entity_id: entityId };
}

function ruleFromRow(row: Selectable<RuleRow>): Rule {
  return {
    id: row.id,
    source: row.source === null ? null : known(ALERT_SOURCES, row.source),
    severity: row.severity === null ? null : known(SEVERITIES, row.severity),
    entityType: row.entity_type,
    entityId: row.entity_id,
  };
}

function known<Word extends string>(words: readonly Word[], word: string): Word {
  const found = words.find((each) => each === word);
  if (found === undefined) throw new Error(`the database has ${JSON.stringify(word)} where one of ${words.join(", ")} belongs`);
  return found;
}

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

    /** Answers the id; undefined when the name is taken. */
    async insert(channel: NewChannel): Promise<number | undefined> {
      return tables.write(async (tx) => {
        const row = await tx
          .insertInto("channels")
          .values({ ...channelToRow(channel), ...stateToRow(channel), ...WITHOUT_SECRETS })
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        // Sealed with its id, which is known only now.
        if (row !== undefined)
          await tx
            .updateTable("channels")
            .set(sealedColumns(channel, row.id, secrets))
            .where("id", "=", row.id)
            .execute();
        return row?.id;
      });
    },

    /** Without the outcome of deliveries, unless the receiver is another one. False when the name is taken. */
    async update({ id, ...channel }: SavedChannel, { isOtherReceiver }: { isOtherReceiver: boolean }): Promise<boolean> {
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
          .set({ ...channelToRow(channel), ...(isOtherReceiver ? stateToRow(channel) : {}), ...sealedColumns(channel, id, secrets) })
          .where("id", "=", id)
          .execute();
        return true;
      });
    },

    /** Saves the outcomes of deliveries of many channels together. */
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
