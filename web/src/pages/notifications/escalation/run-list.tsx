import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PolicyRecord } from "../../../../../src/alerting/escalation/answers.ts";
import { policyRunsQuery } from "../../../api/policies.ts";
import { countOf } from "../../../format/number.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { levelWords, RUN_WORDS } from "../../../entities/alerts/run-words.ts";

/** The latest runs of a policy, each with the alert that began it. */
export function RunList({ policy }: { policy: PolicyRecord }) {
  const { data, error, refetch } = useQuery(policyRunsQuery(policy.id));
  if (data === undefined)
    return error === null ? (
      <SkeletonRows count={2} label="Loading runs" />
    ) : (
      <ErrorNote what="Could not load runs." error={error} onRetry={() => void refetch()}>
        Escalations continue.
      </ErrorNote>
    );
  if (data.runs.length === 0) return <p className="mt-2 text-sm text-ink-2">No runs yet.</p>;
  return (
    <>
      <ul aria-label={`Runs of ${policy.name}`} className="mt-2 text-sm">
        {data.runs.map((run) => {
          const { status, word } = RUN_WORDS[run.status];
          return (
            <li key={run.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-t border-line py-1.5">
              <span className="w-28 text-ink-2">
                <Timestamp at={run.started_at} />
              </span>
              <Link to="/alerts/$id" params={{ id: run.alert_id }} className="text-accent hover:underline">
                Alert {run.alert_id}
              </Link>
              <span className="inline-flex items-center gap-2">
                <StatusIcon status={status} size={10} />
                {word}
              </span>
              <span className="text-ink-2 tabular-nums">
                {levelWords(run)}
                {run.ended_at === null && run.next_level_at !== null && (
                  <>
                    , the next at <Timestamp at={run.next_level_at} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {data.total > data.runs.length && <p className="mt-1 text-xs text-ink-2">The latest of {countOf(data.total, "run")}</p>}
    </>
  );
}
