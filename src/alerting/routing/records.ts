import type { Event } from "../../events.ts";
import type { TriggerRecord } from "./api.ts";
import { filterTexts } from "./filters.ts";
import type { Trigger } from "./trigger.ts";

/** A trigger as it goes over the wire. */
export function triggerRecord(trigger: Trigger): TriggerRecord {
  return {
    id: trigger.id,
    name: trigger.name,
    ...filterTexts(trigger.filters),
    enabled: trigger.enabled,
    notify_on_resolve: trigger.notifyOnResolve,
    channel_ids: [...trigger.channelIds],
    created_at: trigger.createdAt.toISOString(),
    updated_at: trigger.updatedAt.toISOString(),
  };
}

export function triggerEvent(what: "created" | "updated" | "deleted", trigger: Trigger, now: Date): Event {
  const { id, name, enabled, notify_on_resolve, channel_ids } = triggerRecord(trigger);
  return {
    type: `trigger.${what}`,
    data: { id, agent_id: null, name, enabled, notify_on_resolve, channel_ids, timestamp: now.toISOString() },
  };
}
