import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/api.ts";
import { alertTraceQuery } from "../../../api/alert-queries.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { isUnrouted, OCCASION_WORDS, STAGE_WORDS, verdictWords, walksOf, type TracedWalk } from "./trace-words.ts";

/** Why somebody was, or was not, told: the way of the alert to people, step by step. */
export function TraceSection({ alert }: { alert: ShownAlert }) {
  const { data: trace, error, refetch } = useQuery(alertTraceQuery(alert.id));
  return (
    <Section title="Why was I (not) notified?">
      {trace === undefined && error === null && <SkeletonRows count={4} label="Loading notifications" />}
      {trace === undefined && error !== null && (
        <ErrorNote what="Could not load notifications." error={error} onRetry={() => void refetch()}>
          It is kept.
        </ErrorNote>
      )}
      {trace !== undefined && (
        <>
          <p dir="auto" className="max-w-[90ch] pt-3 font-[550] wrap-anywhere">
            {trace.summary}
          </p>
          {isUnrouted(trace) && (
            <p className="mt-1 text-ink-2">
              Configure routing under{" "}
              <Link to="/notifications" className="text-accent underline underline-offset-2">
                Notifications
              </Link>
              .
            </p>
          )}
          {walksOf(trace).map((walk, index) => (
            <Walk key={walk.walk} walk={walk} isLatest={index === 0} />
          ))}
        </>
      )}
    </Section>
  );
}

/** One time that the path was walked; earlier ones are folded. */
function Walk({ walk, isLatest }: { walk: TracedWalk; isLatest: boolean }) {
  return (
    <details open={isLatest} className="mt-3">
      <summary className="w-fit cursor-default rounded py-1 pr-2 text-ink-2 select-none hover:text-ink">
        {OCCASION_WORDS[walk.occasion]}, <Timestamp at={walk.at} />
      </summary>
      <ol className="mt-1">
        {walk.stages.map((stage) => {
          const { status, word } = verdictWords(stage);
          return (
            <li
              key={stage.stage}
              className="grid min-h-9 grid-cols-[20px_minmax(0,1fr)] items-baseline gap-x-2 border-t border-line py-2 sm:grid-cols-[20px_10rem_5.5rem_minmax(0,1fr)]"
            >
              <StatusIcon status={status} className="translate-y-px" />
              <span className="max-sm:flex max-sm:gap-2">
                {STAGE_WORDS[stage.stage]} <span className="text-ink-2 sm:hidden">{word}</span>
              </span>
              <span className="text-ink-2 max-sm:hidden">{word}</span>
              <span dir="auto" className="wrap-anywhere text-ink-2 max-sm:col-start-2">
                {withLocalTimes(stage.text)}
              </span>
            </li>
          );
        })}
      </ol>
    </details>
  );
}
