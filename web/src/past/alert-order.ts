import type { MomentAlert } from "../../../src/publishing/overview/moment/answers.ts";
import { alertImpact, IMPACTS } from "../format/impact.ts";

/** As the overview of the present has them: what people lost most by first, then the latest; last what was acknowledged. */
export function byImpact(alerts: readonly MomentAlert[]): MomentAlert[] {
  return alerts.toSorted((one, other) => rank(one) - rank(other) || Date.parse(other.fired_at) - Date.parse(one.fired_at));
}

function rank(alert: MomentAlert): number {
  return (alert.acknowledged_at === null ? 0 : IMPACTS.length) + IMPACTS.indexOf(alertImpact(alert));
}
