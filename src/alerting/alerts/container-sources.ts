import type { EventData, InsightSeverity, UpdateStatus } from "../../events.ts";
import type { Problem, Resolution, Severity } from "../vocabulary.ts";
import type { Recent } from "./recent.ts";
import { about, clear, NOT_ENABLED, raise, seenWell, type Signal, severityOf, containerEntity, hostOf } from "./signals.ts";

export function insightsChanged(data: EventData["security.insights_changed"]): Signal[] {
  const over = seenWell("security", "dangerous_configuration", containerEntity(data.id), "The exposure was removed.");
  if (data.findings.length === 0) return data.over ? [over] : [];
  return [...(data.renewed ? [over] : []), ...exposure(data)];
}

/** Nothing when all findings are acknowledged: an active alert then stays active, and no new one fires. */
export function exposure(data: EventData["security.insights_changed" | "security.revoked"]): Signal[] {
  const { id, agent_id, severity, message, findings, image } = data;
  if (severity === null) return [];
  return [
    raise({
      ...about(data),
      source: "security",
      event: "dangerous_configuration",
      entity: containerEntity(id),
      // The severity of the worst finding. The severity label applies to failures of the container, not to findings.
      severity: EXPOSURE_SEVERITY[severity],
      message: message ?? `${data.name} is exposed.`,
      cause: null,
      parents: [hostOf(agent_id)],
      details: {
        findings: findings.map(({ type, key }) => `${type} ${key}`),
        unacknowledged: findings.filter(({ acknowledged }) => !acknowledged).length,
        image,
      },
    }),
  ];
}

const EXPOSURE_SEVERITY: Record<InsightSeverity, Severity> = { critical: "critical", high: "warning", medium: "info" };

export function lowPosture(data: EventData["security.posture_threshold"], { hostName }: Recent): Problem {
  const name = hostName(data.agent_id) ?? data.name;
  const { agent_id, score, previous_score, threshold, worst } = data;
  return {
    ...about({ ...data, name }),
    source: "security",
    event: "posture_threshold",
    entity: hostOf(agent_id),
    severity: "warning",
    message: `The security posture of ${agent_id === null ? "the local host" : name} is ${score}, below ${threshold}.`,
    cause: worst.length === 0 ? null : `worst: ${worst.join(", ")}`,
    parents: [],
    details: { score, previous_score, threshold, worst },
  };
}

const UPDATE_ENDS: Record<Exclude<UpdateStatus, "unknown">, Resolution> = {
  up_to_date: { by: "observation", reason: "No newer image is available anymore." },
  available: NOT_ENABLED,
  pinned: { by: "user", reason: "The container was pinned." },
  excluded: { by: "user", reason: "The container was excluded from updates." },
};

/** Why the alert about an update is over for a container that raises none; undefined while nothing is known of newer images. */
export function updateEnd(status: UpdateStatus): Resolution | undefined {
  return status === "unknown" ? undefined : UPDATE_ENDS[status];
}

export function available(data: EventData["update.detected" | "update.changed"]): Signal[] {
  const { id, agent_id, image, update_type, current_tag, available_tag, current_digest, available_digest } = data;
  if (!data.alerting) {
    const end = updateEnd(data.status);
    return end === undefined ? [] : [clear({ source: "update", event: "available", entity: containerEntity(id) }, end)];
  }
  return [
    raise({
      ...about(data),
      source: "update",
      event: "available",
      entity: containerEntity(id),
      // The severity label applies to failures of the container, not to updates.
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
