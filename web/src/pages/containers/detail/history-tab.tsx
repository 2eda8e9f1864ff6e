import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, linkOptions } from "@tanstack/react-router";
import { useMemo } from "react";
import { SPANS_MS } from "../../../../../src/contract/ranges.ts";
import { DAY_MS, MINUTE_MS } from "../../../../../src/contract/time.ts";
import type { ContainerDetail, DailyUptime, TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";
import { dailyUptimeQuery, generationsQuery, transitionsQuery } from "../../../api/queries.ts";
import { oneOf } from "../../../app/search-params.ts";
import { useSince } from "../../../app/server-time.ts";
import { countOf } from "../../../format/number.ts";
import { RANGE_LABELS } from "../../../format/range-labels.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { LinkSwitch } from "../../../ui/link-switch.tsx";
import { Skeleton, SkeletonRows } from "../../../ui/skeleton.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { describeChanges } from "./change.ts";
import { EntryRow } from "./change-row.tsx";
import { collapseRestarts, groupByDay, timeOf } from "./history.ts";
import { HISTORY_RANGES } from "./search.ts";
import { stateSegments } from "./segments.ts";
import { StateStrip } from "./state-strip.tsx";

const route = getRouteApi("/containers/$id");

type Range = (typeof HISTORY_RANGES)[number];

const RANGES: Record<Range, string> = { ...RANGE_LABELS, "90d": "90 d" };
const LENGTHS: Record<Range, number> = { ...SPANS_MS, "90d": 90 * DAY_MS };
const PAGE = 200;
const NONE: TransitionRecord[] = [];
const NO_GAPS: DailyUptime["unobserved"] = [];

/** What became of a container: a strip of its states, and the changes day by day. */
export function HistoryTab({ container }: { container: ContainerDetail }) {
  useRowKeys();
  const range = oneOf(route.useSearch().range, HISTORY_RANGES) ?? "24h";
  const choices = HISTORY_RANGES.map((value) => ({
    value,
    name: RANGES[value],
    link: linkOptions({
      to: "/containers/$id",
      params: { id: container.id },
      search: { tab: "history", ...(value !== "24h" && { range: value }) },
    }),
  }));
  return (
    <>
      <div className="pt-4">
        <LinkSwitch label="Range" value={range} choices={choices} />
      </div>
      <RangeHistory key={range} container={container} range={range} />
    </>
  );
}

function RangeHistory({ container, range }: { container: ContainerDetail; range: Range }) {
  const since = useSince(LENGTHS[range]);
  const query = useInfiniteQuery(transitionsQuery(container.id, { since, limit: PAGE }));
  const { data: uptime } = useQuery(dailyUptimeQuery(container.id));
  const minute = useNow((nowMs) => Math.floor(nowMs / MINUTE_MS));
  const transitions = useMemo(() => query.data?.pages.flatMap((page) => page.transitions) ?? NONE, [query.data]);
  const until = Math.max((minute + 1) * MINUTE_MS, Date.parse(transitions[0]?.timestamp ?? since));
  const from = until - LENGTHS[range];
  const segments = useMemo(
    () => stateSegments({ container, transitions, isComplete: !query.hasNextPage, unobserved: uptime?.unobserved ?? NO_GAPS }, from, until),
    [container, transitions, query.hasNextPage, uptime, from, until],
  );

  if (query.data === undefined) {
    if (query.error !== null)
      return <ErrorNote what="Could not load the history." error={query.error} onRetry={() => void query.refetch()} />;
    return (
      <>
        <Skeleton className="mt-4 h-[84px] w-full" />
        <div className="mt-8">
          <SkeletonRows count={6} label="Loading history" />
        </div>
      </>
    );
  }
  const total = query.data.pages[0]?.total ?? 0;
  return (
    <>
      <StateStrip segments={segments} from={from} until={until} />
      {transitions.length === 0 ? (
        <NothingHappened container={container} since={since} />
      ) : (
        <ChangeList container={container} transitions={transitions} />
      )}
      {query.hasNextPage && (
        <div className="flex items-center gap-3 pt-4">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? "Loading older changes" : "Show older changes"}
          </Button>
          <span className="text-xs text-ink-2 tabular-nums">{countOf(total - transitions.length, "more change")}</span>
        </div>
      )}
      {query.isFetchNextPageError && (
        <ErrorNote what="Could not load older changes." error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </>
  );
}

function ChangeList({ container, transitions }: { container: ContainerDetail; transitions: readonly TransitionRecord[] }) {
  const { data } = useQuery(generationsQuery(container));
  const generations = data?.generations;
  const noon = useNow((nowMs) => new Date(nowMs).setHours(12, 0, 0, 0));
  const days = useMemo(
    () => groupByDay(collapseRestarts(describeChanges(transitions, generations)), noon),
    [transitions, generations, noon],
  );
  return days.map((day) => (
    <section key={day.title} className="mt-6">
      <h2 className="border-b border-line pb-2 text-xs font-semibold text-ink-2">{day.title}</h2>
      <ul>
        {day.entries.map((entry) => (
          <EntryRow
            key={"changes" in entry ? `run-${entry.changes.at(-1)?.transition.id}` : `${entry.transition.id}-${timeOf(entry)}`}
            entry={entry}
          />
        ))}
      </ul>
    </section>
  ));
}

function NothingHappened({ container, since }: { container: ContainerDetail; since: string }) {
  if (container.first_seen_at >= since) {
    return (
      <EmptyState title="No changes">
        <p>
          No changes since it was first seen, <Timestamp at={container.first_seen_at} precision="minute" />.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No changes in this period">
      <p>
        Last change: <Timestamp at={container.last_state_change_at} precision="minute" />. Choose a longer period.
      </p>
    </EmptyState>
  );
}
