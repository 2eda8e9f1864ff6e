import type { Event } from "../../events.ts";
import type { ChannelRecord, RuleRecord } from "./answers.ts";
import type { Rule, SavedChannel } from "./channel.ts";
import { KINDS } from "./kinds/kinds.ts";
import { shownHeaders, shownUrl } from "./settings.ts";

/** A channel as it goes over the wire, its secrets masked. */
export function channelRecord(channel: SavedChannel): ChannelRecord {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    url: shownUrl(KINDS[channel.type], channel.url),
    headers: shownHeaders(channel.headers),
    enabled: channel.enabled,
    health: channel.health,
    last_delivery_at: channel.lastDeliveryAt?.toISOString() ?? null,
    last_error: channel.lastError,
    rules: channel.rules.map(ruleRecord),
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}

export function ruleRecord({ id, source, severity, entityType, entityId }: Rule): RuleRecord {
  return { id, source, severity, entity_type: entityType, entity_id: entityId };
}

/** What every event about a channel says. */
export function channelData(channel: SavedChannel, at: Date): Event<"channel.created">["data"] {
  return {
    id: channel.id,
    agent_id: null,
    name: channel.name,
    channel_type: channel.type,
    enabled: channel.enabled,
    health: channel.health,
    last_delivery_at: channel.lastDeliveryAt?.toISOString() ?? null,
    timestamp: at.toISOString(),
  };
}
