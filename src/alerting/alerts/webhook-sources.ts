import type { EventData } from "../../events.ts";
import type { AlertKey, Problem } from "../vocabulary.ts";
import { about, clear, raise, type Signal } from "./signals.ts";

/** Its deliveries failed again and again, so the service switched it off. Source: contract, sections 7 and 19. */
export function webhookDisabled(data: EventData["webhook.disabled"]): Signal[] {
  const { id, name, reason, failure_count, event_types } = data;
  const problem: Problem = {
    ...about({ ...data, alert_tags: [] }),
    ...keyOf(id),
    severity: "warning",
    message: `The webhook subscription ${name} was disabled after repeated failures. Nothing is sent until it is enabled again.`,
    cause: reason === "" ? null : reason,
    parents: [],
    details: { failure_count, event_types },
  };
  return [raise(problem)];
}

export function webhookUpdated({ id, active }: EventData["webhook.updated"]): Signal[] {
  return active ? [clear(keyOf(id), { by: "user", reason: "It was enabled again." })] : [];
}

export function webhookDeleted({ id }: EventData["webhook.deleted"]): Signal[] {
  return [clear(keyOf(id), { by: "removal", reason: "The subscription was deleted." })];
}

function keyOf(id: number): AlertKey {
  return { source: "webhook", event: "disabled", entity: { type: "webhook", id: String(id) } };
}
