import { isServiceError } from "../../../platform/errors.ts";
import type { SavedContainer } from "../../containers/index.ts";
import {
  type Comparison,
  endComparison,
  evaluationDue,
  evaluated,
  comparedEvent,
  isStateSeen,
  mayAlert,
  troubleAtEvaluation,
} from "./comparison.ts";
import { type ComparisonParts, ONE_BY_ONE } from "./follow.ts";
import type { Measure } from "./measure.ts";
import { type Judgement, verdictOf, regressionMessage, stillWorse } from "./verdict.ts";

export interface EvaluationsParts extends ComparisonParts {
  measure: Measure;
}

/** Read at once. */
const AT_ONCE = 20;

/** Evaluates all comparisons that are due; answers how many there were. */
export function createEvaluations(parts: EvaluationsParts): (signal: AbortSignal) => Promise<number> {
  const { store, projection, measure, bus, clock, serial, log, alerts } = parts;
  const { present } = parts.containers;

  async function evaluate(before: Comparison): Promise<void> {
    const run = projection.get(before.host, before.name);
    if (run?.comparisonId !== before.id) return void (await store.saveEvaluation(before, endComparison(before)));
    const place = evaluationDue(before, clock.now());
    let figures: Comparison["figures"] = null;
    let judged: Judgement = { verdict: "unknown", changes: [], seen: [] };
    try {
      const seen = await measure(before, run, place);
      figures = { before: seen.before.figures, after: seen.after.figures };
      judged = verdictOf(seen.before, seen.after);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) throw error;
      // An evaluation that fails is not repeated: the next one comes in its time.
      log.error({ err: error, comparison: before.id }, "a comparison after an update failed");
    }
    await serial(ONE_BY_ONE, () => save(before, judged, { figures, evaluation: place }));
  }

  async function save(before: Comparison, judged: Judgement, measured: Pick<Comparison, "figures" | "evaluation">): Promise<void> {
    const run = projection.get(before.host, before.name);
    // Another image came meanwhile.
    if (run?.comparisonId !== before.id) return;
    const container = present.get(run.containerId);
    const known = projection.comparison(before.id) ?? before;
    const at = clock.now();
    const { verdict, changes } = withState(judged, known, container);
    const alerting = verdict === "worse" && alerts && container !== undefined && mayAlert(container);
    const next = evaluated(known, { ...measured, verdict, changes, at, alerting });
    if (!(await store.saveEvaluation(before, next))) return;
    projection.putComparison(next);
    if (container === undefined || isSameMessage(known, next)) return;
    bus.publish(comparedEvent(next, container, at));
  }

  return async (signal) => {
    let count = 0;
    for (;;) {
      const due = await store.due(clock.now(), AT_ONCE);
      for (const comparison of due) {
        if (signal.aborted) return count;
        await evaluate(comparison);
        count += 1;
      }
      if (due.length < AT_ONCE) return count;
    }
  };
}

/** What the figures and the container itself show, and what was worse and is not seen now. */
function withState(judged: Judgement, known: Comparison, container: SavedContainer | undefined): Pick<Judgement, "verdict" | "changes"> {
  const trouble = container === undefined ? undefined : troubleAtEvaluation(container, known, judged.changes);
  const found = trouble === undefined ? judged.changes : [trouble, ...judged.changes];
  const seen = [...judged.seen, ...found.map(({ figure }) => figure)];
  if (container === undefined || isStateSeen(container)) seen.push("state");
  const changes = [...found, ...stillWorse(known.changes, seen)];
  return { verdict: changes.some(({ worse }) => worse) ? "worse" : judged.verdict, changes };
}

/** Whether the message of a regression is still the same. */
function isSameMessage(a: Comparison, b: Comparison): boolean {
  return (
    a.verdict === b.verdict && a.alerting === b.alerting && regressionMessage(a.name, a.changes) === regressionMessage(b.name, b.changes)
  );
}
