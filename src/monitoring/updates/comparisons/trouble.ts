import type { SavedContainer } from "../../containers/index.ts";
import type { Comparison } from "./comparison.ts";
import type { Change } from "./figure.ts";

type Watched = Pick<SavedContainer, "state" | "health" | "exitCode" | "stopRequested" | "restartHistory">;

/** What shows before any figure that a new image does worse: it restarted unexpectedly, does not run, or is unhealthy. Source: contract, section 19. */
export function earlyTroubleOf(container: Watched, { changedAt }: Pick<Comparison, "changedAt">): Change | undefined {
  const hasRestarted = container.restartHistory.restarts.some((at) => at >= changedAt);
  return hasRestarted ? { figure: "restarts", worse: true, text: "it restarted unexpectedly" } : troubleOf(container);
}

/** The same at an evaluation of the figures, which count restarts themselves: only what was found before the first evaluation is still said there. */
export function troubleAtEvaluation(container: Watched, comparison: Comparison, figures: readonly Change[]): Change | undefined {
  const early = comparison.evaluation === 0 ? comparison.changes.find(({ figure }) => figure === "restarts") : undefined;
  const isCounted = figures.some(({ figure, worse }) => figure === "restarts" && worse);
  return troubleOf(container) ?? (isCounted ? undefined : early);
}

function troubleOf({ state, health, exitCode, stopRequested }: Watched): Change | undefined {
  if ((state === "exited" && !stopRequested) || state === "dead" || state === "restarting") {
    return { figure: "state", worse: true, text: `it is not running, exit code ${exitCode ?? "unknown"}` };
  }
  return health === "unhealthy" ? { figure: "state", worse: true, text: "health check failing" } : undefined;
}
