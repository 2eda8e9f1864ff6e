import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import type { Status } from "./status.ts";

/** What people lose, most first. Posture is what could be better but nobody notices: findings and updates. */
export const IMPACTS = ["outage", "degraded", "notice", "posture"] as const;
export type Impact = (typeof IMPACTS)[number];

/** The impact of each severity. The API keeps the severities of the specification; the app ranks, counts and colours by impact. */
const IMPACT_OF_SEVERITY: Readonly<Record<ShownAlert["severity"], Impact>> = { critical: "outage", warning: "degraded", info: "notice" };

type Facts = Pick<ShownAlert, "source" | "event" | "severity">;

/** What people lose by what an alert is about. */
export function alertImpact({ source, event, severity }: Facts): Impact {
  if (source === "security" || (source === "update" && event === "available")) return "posture";
  if (source === "webhook") return "notice";
  // Neither a threshold nor a certificate that still works takes anything away yet.
  if (severity === "critical" && (source === "resource" || event === "expiring")) return "degraded";
  return IMPACT_OF_SEVERITY[severity];
}

/** Whether it is red or amber and counted: the badge, the title and the headline are about nothing else. */
export function isUrgent(impact: Impact): boolean {
  return impact === "outage" || impact === "degraded";
}

/** The shape of an impact: the cross is that of an outage alone. */
export const IMPACT_STATUS: Readonly<Record<Impact, Status>> = { outage: "down", degraded: "degraded", notice: "idle", posture: "idle" };

/** What people lose by something of this status. */
export function impactOf(status: Status): Impact {
  return status === "down" ? "outage" : status === "degraded" ? "degraded" : "notice";
}

/** How lists of alerts call an impact. */
export const IMPACT_WORDS: Readonly<Record<Impact, string>> = {
  outage: "Outages",
  degraded: "Degraded",
  notice: "Notices",
  posture: "Security and updates",
};
