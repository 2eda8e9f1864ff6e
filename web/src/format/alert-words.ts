import type { AlertSource, Severity } from "../../../src/contract/alert.ts";
import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { alertImpact, IMPACT_STATUS, isUrgent } from "./impact.ts";
import type { Status } from "./status.ts";

export { ALERT_SOURCES as SOURCES, type AlertSource, SEVERITIES, type Severity } from "../../../src/contract/alert.ts";

type Suppression = NonNullable<ShownAlert["suppressed_by"]>;

/** A severity in a word, from the worst to the mildest. */
export const SEVERITY_WORDS: Readonly<Record<Severity, { word: string }>> = {
  critical: { word: "Critical" },
  warning: { word: "Warning" },
  info: { word: "Info" },
};

/** What an alert is about. */
export const SOURCE_WORDS: Readonly<Record<AlertSource, string>> = {
  container: "Containers",
  endpoint: "Endpoints",
  heartbeat: "Heartbeats",
  certificate: "Certificates",
  resource: "Resources",
  update: "Updates",
  agent: "Agents",
  security: "Security",
  webhook: "Webhooks",
  swarm: "Swarm",
  kubernetes: "Kubernetes",
};

/** Why it is recorded but not sent, in the fewest words. */
export const SUPPRESSION_WORDS: Readonly<Record<Suppression, { word: string; why: string }>> = {
  silence: {
    word: "Silenced",
    why: "A silence matches this alert. It is recorded, but no notifications are sent while the silence is active.",
  },
  maintenance: {
    word: "In maintenance",
    why: "A maintenance window covers this alert. It is recorded, but no notifications are sent until the window ends.",
  },
  dependency: {
    word: "Suppressed by parent",
    why: "A dependency is down and has its own alert. Only that alert is sent.",
  },
};

type Held = Pick<ShownAlert, "suppressed_by" | "silenced_until">;

/** What holds it back on purpose; a silence does so even where somebody was notified before. */
export function holdOf({ suppressed_by, silenced_until }: Held): Suppression | null {
  return suppressed_by ?? (silenced_until === null ? null : "silence");
}

/** The shape of an alert: of its impact while it is active, calm once it is resolved or suppressed. */
export function alertStatus(alert: Pick<ShownAlert, "status" | "source" | "event" | "severity"> & Held): Status {
  if (alert.status === "resolved") return "ok";
  const hold = holdOf(alert);
  if (hold === "maintenance") return "maintenance";
  return hold === null ? IMPACT_STATUS[alertImpact(alert)] : "idle";
}

/** Whether it waits for somebody: not over, not in hand, not held back on purpose. */
export function isUnattended(alert: Pick<ShownAlert, "status" | "acknowledged_at"> & Held): boolean {
  return alert.status === "active" && alert.acknowledged_at === null && holdOf(alert) === null;
}

/** Whether the badge and the title count it: it waits for somebody, and people lose something. */
export function isWaiting(alert: ShownAlert): boolean {
  return isUnattended(alert) && isUrgent(alertImpact(alert));
}

/** `restart_loop` as words: `restart loop`. */
export function eventWords(event: string): string {
  return event.replaceAll("_", " ");
}
