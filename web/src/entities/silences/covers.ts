import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { SilenceCovers } from "../../api/alert-acts.ts";
import { countOf } from "../../format/number.ts";

/** What one cause gives several alerts at a time. */
const HAVE_SEVERAL: ReadonlySet<string> = new Set(["container", "kubernetes_workload", "swarm_service"]);

export interface CoversChoice {
  covers: SilenceCovers;
  /** Empty where there is no choice. */
  words: string;
}

/** What of these alerts can be silenced: them, or all alerts of what they are about, so that others of the same cause are quiet too. */
export function coversChoices(alerts: readonly ShownAlert[]): readonly CoversChoice[] {
  const things = new Map(alerts.map((alert) => [`${alert.entity_type} ${alert.entity_id}`, alert]));
  const [first] = things.values();
  if (first === undefined || !alerts.every(({ entity_type: type }) => HAVE_SEVERAL.has(type))) return [{ covers: "alert", words: "" }];
  return [
    { covers: "alert", words: alerts.length === 1 ? "This alert" : `These ${countOf(alerts.length, "alert")}` },
    { covers: "entity", words: `All alerts of ${things.size === 1 ? first.entity_name : `these ${things.size}`}` },
  ];
}

/** The alerts that silences are made from: of several about one thing the first stands for all of them. */
export function namedBy(alerts: readonly ShownAlert[], covers: SilenceCovers): readonly ShownAlert[] {
  if (covers === "alert") return alerts;
  return alerts.filter(
    ({ entity_type: type, entity_id: id }, at) => alerts.findIndex((each) => each.entity_type === type && each.entity_id === id) === at,
  );
}
