import type { EventData, InsightSeverity } from "../../events.ts";
import type { Problem, Severity } from "../vocabulary.ts";
import { containerEntity, hostOf } from "./outages.ts";
import type { Recent } from "./recent.ts";
import { about, raise, seenWell, type Signal } from "./signals.ts";

export function insightsChanged(data: EventData["security.insights_changed"]): Signal[] {
  const over = seenWell("security", "dangerous_configuration", containerEntity(data.id), "The exposure was removed.");
  if (data.findings.length === 0) return data.over ? [over] : [];
  return [...(data.renewed ? [over] : []), ...exposure(data)];
}

/** Nothing when all that is found is acknowledged: an alert that is active stays so, and none begins. */
export function exposure(data: EventData["security.insights_changed" | "security.revoked"]): Signal[] {
  const { id, agent_id, severity, message, findings, image } = data;
  if (severity === null) return [];
  return [
    raise({
      ...about(data),
      source: "security",
      event: "dangerous_configuration",
      entity: containerEntity(id),
      // Of the worst finding, whatever the label says: that is for how urgent its failures are.
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
