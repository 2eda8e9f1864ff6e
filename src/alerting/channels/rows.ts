import type { Insertable, Selectable } from "kysely";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import { ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import { CHANNEL_HEALTHS, CHANNEL_TYPES } from "./api.ts";
import { type ChannelState, nameKey, type NewChannel, type Rule, type SavedChannel } from "./channel.ts";
import { readHeaders } from "./headers.ts";
import type { ChannelRow, RuleRow } from "./tables.ts";

/** The columns with secrets. */
type SecretColumns = Pick<ChannelRow, "url" | "headers">;

export const WITHOUT_SECRETS: SecretColumns = { url: "", headers: "" };

/** The columns of a channel but for those with secrets. */
export function channelToRow(channel: NewChannel): Omit<Insertable<ChannelRow>, keyof SecretColumns> {
  return {
    name: channel.name,
    name_key: nameKey(channel.name),
    type: channel.type,
    enabled: channel.enabled ? 1 : 0,
    created_at: channel.createdAt.getTime(),
    updated_at: channel.updatedAt.getTime(),
    ...stateToRow(channel),
  };
}

export function sealedColumns({ url, headers }: NewChannel, id: number, secrets: StoredSecrets): SecretColumns {
  return {
    url: secrets.seal(url, { table: "channels", column: "url", id }),
    headers: secrets.seal(JSON.stringify(headers), { table: "channels", column: "headers", id }),
  };
}

export function openRow(row: Selectable<ChannelRow>, secrets: StoredSecrets): Selectable<ChannelRow> {
  return {
    ...row,
    url: secrets.open(row.url, { table: "channels", column: "url", id: row.id }),
    headers: secrets.open(row.headers, { table: "channels", column: "headers", id: row.id }),
  };
}

export function stateToRow({
  health,
  lastError,
  lastDeliveryAt,
}: ChannelState): Pick<ChannelRow, "health" | "last_error" | "last_delivery_at"> {
  return { health, last_error: lastError, last_delivery_at: lastDeliveryAt?.getTime() ?? null };
}

export function channelFromRow(row: Selectable<ChannelRow>, rules: readonly Rule[]): SavedChannel {
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

export function ruleToRow(channelId: number, { source, severity, entityType, entityId }: Omit<Rule, "id">): Insertable<RuleRow> {
  return { channel_id: channelId, source, severity, entity_type: entityType, entity_id: entityId };
}

export function ruleFromRow(row: Selectable<RuleRow>): Rule {
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
