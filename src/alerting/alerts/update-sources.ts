import type { EventData } from "../../events.ts";
import type { Problem } from "../vocabulary.ts";
import { containerEntity, hostOf } from "./outages.ts";
import { about, raise, seenWell, type Signal, severityOf } from "./signals.ts";

export function available(data: EventData["update.detected" | "update.changed"]): Signal[] {
  const { id, agent_id, image, update_type, current_tag, available_tag, current_digest, available_digest } = data;
  if (!data.alerting) return [seenWell("update", "available", containerEntity(id), "No newer image is available anymore.")];
  return [
    raise({
      ...about(data),
      source: "update",
      event: "available",
      entity: containerEntity(id),
      // Whatever the label says: that is for how urgent its failures are.
      severity: "info",
      message: data.message ?? `A newer image is available for ${data.name}.`,
      cause: null,
      parents: [hostOf(agent_id)],
      details: { update_type, current_tag, available_tag, current_digest, available_digest, image },
    }),
  ];
}

export function regression(data: EventData["update.compared"]): Problem {
  return {
    ...about(data),
    source: "update",
    event: "regression",
    entity: containerEntity(data.id),
    severity: severityOf(data.labels, "warning"),
    message: data.message ?? `${data.name} performs worse since its image changed.`,
    cause: `its image changed from ${data.previous_image} to ${data.image}`,
    parents: [containerEntity(data.id), hostOf(data.agent_id)],
    details: { image: data.image, previous_image: data.previous_image, changed_at: data.changed_at },
  };
}
