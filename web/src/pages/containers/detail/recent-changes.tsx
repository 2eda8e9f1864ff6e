import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { DAY_MS } from "../../../../../src/contract/time.ts";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { generationsQuery, transitionsQuery } from "../../../api/queries.ts";
import { useSince } from "../../../app/server-time.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { describeChanges } from "./change.ts";
import { collapseRestarts, timeOf, type HistoryEntry } from "./history.ts";

const SHOWN = 5;
const READ = 100;
/** Longer than any transition is kept. */
const KEPT_MS = (KEPT_DAYS.transitions + 1) * DAY_MS;

/** What happened to it last, however long ago. */
export function RecentChanges({ container }: { container: ContainerRecord }) {
  const since = useSince(KEPT_MS);
  const { data, error, refetch } = useInfiniteQuery(transitionsQuery(container.id, { since, limit: READ }));
  const generations = useQuery(generationsQuery(container)).data?.generations;
  const entries = useMemo(
    () => collapseRestarts(describeChanges(data?.pages[0]?.transitions ?? [], generations)).slice(0, SHOWN),
    [data, generations],
  );
  if (data === undefined) {
    return error === null ? (
      <div className="overflow-hidden max-sm:h-27">
        <SkeletonRows count={SHOWN} label="Loading last changes" />
      </div>
    ) : (
      <ErrorNote what="Could not load changes." error={error} onRetry={() => void refetch()} />
    );
  }
  if (entries.length === 0) {
    return (
      <p className="min-h-45 py-2 text-ink-2 max-sm:min-h-27">
        No changes since it was first seen, <Timestamp at={container.first_seen_at} precision="minute" />.
      </p>
    );
  }
  return (
    // As high as while it was read, so that nothing below moves. On a phone fewer do, since there nothing stands beside it.
    <ul className="min-h-45 max-sm:min-h-27 max-sm:[&>:nth-child(n+4)]:hidden">
      {entries.map((entry) => (
        <RecentChange key={timeOf(entry) + entry.what} entry={entry} />
      ))}
    </ul>
  );
}

function RecentChange({ entry }: { entry: HistoryEntry }) {
  const detail = "changes" in entry ? entry.causes : entry.before;
  return (
    <li className="flex min-h-9 items-baseline gap-2 border-t border-line py-2 first:border-t-0">
      <StatusIcon status={entry.status} size={10} className="translate-y-px" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {entry.what}
        {detail !== null && <span className="text-ink-2">, {detail}</span>}
      </span>
      <span className="text-xs text-ink-2">
        <Timestamp at={timeOf(entry)} />
      </span>
    </li>
  );
}
