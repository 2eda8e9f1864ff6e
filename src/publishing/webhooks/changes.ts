import type { Event } from "../../events.ts";
import type { Webhook } from "./webhook.ts";

type WebhookEvent = Event<"webhook.created" | "webhook.updated" | "webhook.deleted">;

export function lifeEvent(type: WebhookEvent["type"], webhook: Webhook, at: Date): WebhookEvent {
  return { type, data: dataOf(webhook, at) };
}

export function disabledEvent(webhook: Webhook, at: Date): Event<"webhook.disabled"> {
  return { type: "webhook.disabled", data: { ...dataOf(webhook, at), reason: webhook.disabledReason ?? "" } };
}

function dataOf({ id, name, eventTypes, active, failureCount }: Webhook, at: Date): WebhookEvent["data"] {
  return { id, agent_id: null, name, event_types: eventTypes, active, failure_count: failureCount, timestamp: at.toISOString() };
}
