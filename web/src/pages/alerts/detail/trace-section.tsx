import { useQuery } from "@tanstack/react-query";
import type { ShownAlert, TraceStage } from "../../../../../src/alerting/alerts/answers.ts";
import { alertTraceQuery } from "../../../api/alert-queries.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { evaluationsOf, foldedStages, STAGE_WORDS, type TracedEvaluation, TRANSITION_WORDS, verdictWords } from "./trace-words.ts";

/** Why somebody was, or was not, notified, step by step. Folded: the summary stands above. */
export function TraceSection({ alert }: { alert: ShownAlert }) {
  const { data: trace } = useQuery(alertTraceQuery(alert.id));
  if (trace === undefined || trace.stages.length === 0) return null;
  return (
    <details className="mt-8 border-t border-line py-2">
      <Summary className="md:py-1">
        <h2 className="text-xs leading-[18px] font-semibold">Why was I (not) notified?</h2>
      </Summary>
      {evaluationsOf(trace).map((evaluation) => (
        <Evaluation key={evaluation.number} evaluation={evaluation} />
      ))}
    </details>
  );
}

function Evaluation({ evaluation }: { evaluation: TracedEvaluation }) {
  return (
    <section className="mt-3">
      <h3 className="text-ink-2">
        {TRANSITION_WORDS[evaluation.transition]}, <Timestamp at={evaluation.at} />
      </h3>
      <ol className="mt-1">
        {foldedStages(evaluation.stages).map((stages) => (
          <Step key={stages[0]?.stage} stages={stages} />
        ))}
      </ol>
    </section>
  );
}

/** One step, or several that only say that nothing held the alert back. */
function Step({ stages }: { stages: readonly TraceStage[] }) {
  const [first] = stages;
  if (first === undefined) return null;
  const { status, word } = verdictWords(first);
  return (
    <li className="grid min-h-9 grid-cols-[20px_minmax(0,1fr)] items-baseline gap-x-2 border-t border-line py-2 sm:grid-cols-[20px_10rem_5.5rem_minmax(0,1fr)]">
      <StatusIcon status={status} className="translate-y-px" />
      <span className="max-sm:flex max-sm:gap-2">
        {stages.length === 1 ? STAGE_WORDS[first.stage] : `${stages.length} checks`} <span className="text-ink-2 sm:hidden">{word}</span>
      </span>
      <span className="text-ink-2 max-sm:hidden">{word}</span>
      <span dir="auto" className="wrap-anywhere text-ink-2 max-sm:col-start-2">
        {stages.length === 1 ? withLocalTimes(first.text) : stages.map(({ stage }) => STAGE_WORDS[stage]).join(", ")}
      </span>
    </li>
  );
}
