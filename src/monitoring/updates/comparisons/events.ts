import type { Event } from "../../../events.ts";
import { aboutContainer, type SavedContainer } from "../../containers/index.ts";
import type { Comparison } from "./comparison.ts";
import { regressionMessage } from "./words.ts";

/** What to tell of a comparison and the container that it is about. */
export function comparedEvent(comparison: Comparison, container: SavedContainer, at: Date): Event<"update.compared"> {
  const { alert_severity: _, ...about } = aboutContainer(container, at);
  return {
    type: "update.compared",
    data: {
      ...about,
      comparison_id: comparison.id,
      previous_image: comparison.before.image,
      changed_at: comparison.changedAt.toISOString(),
      verdict: comparison.verdict,
      alerting: comparison.alerting,
      message: regressionMessage(comparison.name, comparison.changes),
    },
  };
}

/** Whether the container's labels allow that somebody is told of its updates. */
export function mayAlert({ settings }: Pick<SavedContainer, "settings">): boolean {
  return settings.updates.alertOn !== "none";
}
