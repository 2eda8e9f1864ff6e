import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useCallback, useDeferredValue, useMemo } from "react";
import type { LogSearchResult } from "../../../../src/monitoring/logs/answers.ts";
import { isApiError } from "../../api/client.ts";
import { logLinesQuery } from "../../api/logs.ts";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { UnknownContainers, useSight } from "../../entities/containers/unknown.tsx";
import { countOf } from "../../format/number.ts";
import { createFinder } from "../../logs/find.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { COUNTED } from "./bars.ts";
import { MOST_COLUMNS } from "./column-names.ts";
import { columnWidths, foundFields, withFields } from "./columns.ts";
import { FilterBar } from "./filter-bar.tsx";
import { queryOf } from "./filter.ts";
import { FoundRow } from "./found-row.tsx";
import { Gaps } from "./gaps.tsx";
import { LogHistogram } from "./histogram.tsx";
import { NoLines } from "./no-lines.tsx";
import { PatternsPage } from "./patterns-page.tsx";
import { ViewTabs } from "./view-tabs.tsx";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const route = getRouteApi("/logs");
const NO_COLUMNS: readonly string[] = [];

/** The logs of all containers as one, narrowed by what the address says: their lines, or what these have in common. */
export function LogsPage() {
  const { view } = route.useSearch();
  return view === "patterns" ? <PatternsPage /> : <LinesPage />;
}

/** The newest lines first. */
function LinesPage() {
  useRowKeys();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const withHost = useNamesHosts();
  const query = useInfiniteQuery(logLinesQuery(queryOf(filter, host)));
  const nowMs = useNow((now) => new Date(now).setHours(12, 0, 0, 0));
  const finder = useMemo(() => createFinder(filter.q ?? ""), [filter.q]);
  // Lines are drawn in slices, between which the browser takes keys.
  const data = useDeferredValue(query.data);
  const first = data?.pages[0];
  const { columns = NO_COLUMNS } = filter;
  const lines = useMemo(() => data?.pages.flatMap((page) => page.lines.map(withFields)) ?? [], [data]);
  const found = useMemo(() => foundFields(lines), [lines]);
  const widths = useMemo(() => columnWidths(columns, found), [columns, found]);
  const addColumn = useCallback(
    (name: string) =>
      void navigate({
        search: (search) => ({ ...search, columns: [...(search.columns ?? []), name].slice(-MOST_COLUMNS) }),
        resetScroll: false,
      }),
    [navigate],
  );
  const addCondition = useCallback(
    (condition: string) =>
      void navigate({ search: (search) => ({ ...search, fields: [search.fields, condition].filter(Boolean).join(" ") }) }),
    [navigate],
  );
  const sight = useDeferredValue(useSight());
  const hasFailed = query.error !== null && (query.data === undefined || !isApiError(query.error, "unreachable"));
  useTitle("Logs");

  return (
    <Page>
      <PageHeader title="Logs" note={first && sight === "known" && countNote(first)}>
        <Button onClick={() => void query.refetch()} disabled={query.isFetching} title="Search again">
          <RefreshCw size={14} aria-hidden />
          {query.isFetching ? "Searching" : "Refresh"}
        </Button>
      </PageHeader>
      <ViewTabs current="lines" />
      <RuntimeNotice />
      <div role="toolbar" aria-label="Filters" className="flex flex-wrap items-center gap-2 pt-4 pb-1">
        <FilterBar found={found} />
      </div>
      {hasFailed && (
        <ErrorNote what="Could not search the logs." error={query.error} onRetry={() => void query.refetch()}>
          {query.data !== undefined && "The lines below may be out of date."}
        </ErrorNote>
      )}
      {((first === undefined && query.error === null) || (first !== undefined && sight === "pending")) && (
        <div className="mt-24">
          <SkeletonRows count={12} label="Searching logs" />
        </div>
      )}
      {first !== undefined && sight === "unknown" && <UnknownContainers />}
      {first !== undefined && sight === "known" && (
        <div className={classNames(query.isPlaceholderData && "opacity-60")}>
          <LogHistogram
            histogram={first.histogram}
            isComplete={first.is_complete}
            onSpan={(span) => void navigate({ search: (search) => ({ ...search, ...span }) })}
          />
          <Gaps gaps={first.gaps} total={first.gaps_total} />
          {lines.length === 0 ? (
            <NoLines filter={filter} isComplete={first.is_complete} />
          ) : (
            <>
              {columns.length > 0 && <Heads columns={columns} widths={widths} />}
              <ul aria-label="Lines" className="border-t border-line">
                {lines.map(({ line, fields }, index) => (
                  <FoundRow
                    key={`${line.container_id} ${line.timestamp} ${index}`}
                    {...{ line, fields, columns, widths, finder, withHost, nowMs }}
                    query={filter.q}
                    onColumn={addColumn}
                    onCondition={addCondition}
                  />
                ))}
              </ul>
            </>
          )}
          {query.hasNextPage && (
            <Button className="mt-3" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {query.isFetchingNextPage ? "Loading older lines" : "Show older lines"}
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

/** The names above the columns, as wide as these; lines without fields go over all of them. */
function Heads({ columns, widths }: { columns: readonly string[]; widths: string }) {
  return (
    <div aria-hidden className="flex gap-x-3 border-l-2 border-transparent pr-3 pb-1 pl-1 text-xs text-ink-3 max-sm:hidden">
      <span className="w-[calc(1.5rem+14ch)] shrink-0 font-mono" />
      <span className="w-44 shrink-0">Container</span>
      <span className="grid min-w-0 flex-1 gap-x-4 font-mono" style={{ gridTemplateColumns: widths }}>
        {columns.map((name) => (
          <bdi key={name} className="truncate">
            {name}
          </bdi>
        ))}
      </span>
    </div>
  );
}

/** `1,204 lines in 14 logs`, `at least 1,204 lines in 14 logs` */
function countNote({ histogram, searched }: LogSearchResult): string {
  const found = histogram.buckets.reduce((sum, bucket) => sum + COUNTED.reduce((count, level) => count + bucket[level], 0), 0);
  const note = `${countOf(found, "line")} in ${countOf(searched.containers, "log")}`;
  return histogram.counted_to === null ? note : `at least ${note}`;
}
