import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { ExecutionRecord, HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { executionsQuery } from "../../../api/heartbeat-queries.ts";
import { formatDuration } from "../../../format/duration.ts";
import { countOf } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton, SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { MoreRows } from "../../../ui/more-rows.tsx";
import { RunChart } from "./run-chart.tsx";
import { runWords } from "./run-words.ts";

const FIRST_ROWS = 10;

/** What became of its runs: how long each took and how it ended. */
export function RunsSection({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const query = useInfiniteQuery(executionsQuery(heartbeat.id));
  const [showsAll, setShowsAll] = useState(false);
  const runs = useMemo(() => query.data?.pages.flatMap(({ executions }) => executions) ?? [], [query.data]);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const shown = showsAll ? runs : runs.slice(0, FIRST_ROWS);
  const hasIds = runs.some(({ rid }) => rid !== null);
  return (
    <Section title="Runs" aside={total > 0 && `${countOf(total, "run")} in the last ${KEPT_DAYS.heartbeatPings} days`}>
      {query.data === undefined && query.error === null && (
        <>
          <Skeleton className="mt-3 h-[96px] w-full" />
          <SkeletonRows count={5} label="Loading runs" />
        </>
      )}
      {query.error !== null && (
        <ErrorNote what="Could not load runs." error={query.error} onRetry={() => void query.refetch()}>
          Runs are still recorded.
        </ErrorNote>
      )}
      {query.data !== undefined && total === 0 && (
        <p className="max-w-[68ch] py-3 text-ink-2">
          No runs yet. A run starts when the job requests the ping URL with /start and ends when it reports an exit code. Without /start,
          run times are unknown.
        </p>
      )}
      {shown.length > 0 && (
        <>
          <RunChart runs={runs} />
          <Table className="mt-3" aria-label="Runs">
            <thead>
              <tr>
                <HeadCell>Started</HeadCell>
                <HeadCell>Outcome</HeadCell>
                <HeadCell numeric>Took</HeadCell>
                {hasIds && <HeadCell className="pl-6 max-md:hidden">Run ID</HeadCell>}
              </tr>
            </thead>
            <tbody>
              {shown.map((run) => (
                <RunRow key={run.id} run={run} hasId={hasIds} />
              ))}
            </tbody>
          </Table>
          <MoreRows
            what="run"
            hidden={total - shown.length}
            isReading={query.isFetchingNextPage}
            onMore={() => {
              if (showsAll) void query.fetchNextPage();
              setShowsAll(true);
            }}
          />
        </>
      )}
    </Section>
  );
}

function RunRow({ run, hasId }: { run: ExecutionRecord; hasId: boolean }) {
  const { status, word } = runWords(run);
  const at = run.started_at ?? run.ended_at;
  return (
    <tr>
      <Cell>
        {at === null ? "–" : <Timestamp at={at} />}
        {run.started_at === null && <span className="text-ink-3 max-sm:hidden"> end only; start not reported</span>}
      </Cell>
      <Cell>
        <span className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </span>
      </Cell>
      <Cell numeric>
        {run.outcome === "running" && run.started_at !== null ? (
          <Age at={run.started_at} />
        ) : run.duration_ms === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          formatDuration(run.duration_ms)
        )}
      </Cell>
      {hasId && (
        <Cell className="pl-6 max-md:hidden">
          <code className="font-mono text-xs text-ink-2" title={run.rid ?? undefined}>
            {run.rid?.slice(0, 8) ?? ""}
          </code>
        </Cell>
      )}
    </tr>
  );
}
