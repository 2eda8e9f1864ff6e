import type { Alerting } from "../alerting/index.ts";
import type { SecurityAlert, SecurityAlerts } from "../monitoring/security/index.ts";

/** What the security of containers asks of alerting. */
export function securityAlertsOf(alerting: Pick<Alerting, "active" | "acknowledge">): SecurityAlerts {
  return {
    active: () =>
      alerting
        .active()
        .filter(({ source, event }) => source === "security" && event === "dangerous_configuration")
        .map(({ id, entity, acknowledgedAt, details }): SecurityAlert => ({
          id,
          containerId: Number(entity.id),
          acknowledged: acknowledgedAt !== null,
          findings: textsOf(details["findings"]),
        })),
    acknowledge: alerting.acknowledge,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
