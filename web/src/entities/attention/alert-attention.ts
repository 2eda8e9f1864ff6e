import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { alertStatus, isUnattended } from "../../format/alert-words.ts";
import { alertImpact } from "../../format/impact.ts";
import { asSentence } from "../../format/sentence.ts";
import { withLocalTimes } from "../../format/time.ts";
import type { Attention } from "./attention.ts";

/** The active alerts, by their own words, without posture: findings and updates have a separate section. */
export function alertAttention(alerts: readonly ShownAlert[]): Attention[] {
  return alerts
    .filter((alert) => alertImpact(alert) !== "posture")
    .map((alert) => ({
      type: alert.entity_type,
      id: alert.entity_id,
      name: "",
      status: alertStatus(alert),
      impact: alertImpact(alert),
      what: withLocalTimes(alert.message),
      why: asSentence(withLocalTimes(alert.cause ?? "")),
      where: alert.message.includes(alert.entity_name) ? "" : alert.entity_name,
      agentId: alert.agent_id,
      since: alert.fired_at,
      alert,
      isSettled: !isUnattended(alert),
    }));
}
