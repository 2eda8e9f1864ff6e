import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { holdOf } from "../../format/alert-words.ts";
import { countOf } from "../../format/number.ts";
import { alertImpact, type Impact, IMPACTS } from "../../format/impact.ts";

export interface ImpactGroup {
  impact: Impact;
  alerts: ShownAlert[];
}

/** Active alerts by what people lose, the worst first; in each those that wait for somebody, then those in hand, then those held back, the latest first. */
export function groupByImpact(alerts: readonly ShownAlert[]): ImpactGroup[] {
  return IMPACTS.map((impact) => ({
    impact,
    alerts: alerts
      .filter((alert) => alertImpact(alert) === impact)
      .sort((one, other) => rank(one) - rank(other) || other.fired_at.localeCompare(one.fired_at) || other.id - one.id),
  })).filter((group) => group.alerts.length > 0);
}

function rank(alert: ShownAlert): number {
  if (holdOf(alert) !== null) return 2;
  return alert.acknowledged_at === null ? 0 : 1;
}

/** `5 active: 3 unacknowledged, 1 acknowledged, 1 suppressed`, and what is no problem by itself: `6 findings and updates`; none is the empty text. */
export function activeSummary(all: readonly ShownAlert[]): string {
  const alerts = all.filter((alert) => alertImpact(alert) !== "posture");
  const rest = all.length - alerts.length;
  return [problemWords(alerts), rest === 0 ? "" : countOf(rest, "finding or update", "findings and updates")]
    .filter((part) => part !== "")
    .join(" · ");
}

function problemWords(alerts: readonly ShownAlert[]): string {
  const counts = [0, 0, 0];
  for (const alert of alerts) {
    const at = rank(alert);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const [waiting = 0, acknowledged = 0, heldBack = 0] = counts;
  if (alerts.length === 0) return "";
  if (waiting === alerts.length) return `${alerts.length} active`;
  const parts = [
    waiting === 0 ? "" : `${waiting} unacknowledged`,
    acknowledged === 0 ? "" : `${acknowledged} acknowledged`,
    heldBack === 0 ? "" : `${heldBack} suppressed`,
  ];
  return `${alerts.length} active: ${parts.filter((part) => part !== "").join(", ")}`;
}
