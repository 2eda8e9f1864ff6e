import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { isApiError } from "../../api/client.ts";
import { logPatternsQuery } from "../../api/logs.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { UnknownContainers, useSight } from "../../entities/containers/unknown.tsx";
import { countOf, formatCount } from "../../format/number.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { queryOf } from "./filter.ts";
import { Gaps } from "./gaps.tsx";
import { NoLines } from "./no-lines.tsx";
import { PatternRow } from "./pattern-row.tsx";
import { ViewTabs } from "./view-tabs.tsx";

const route = getRouteApi("/logs");

/** What the logs of all containers say, lines that differ in numbers, ids and times folded: new ones first, then those of most lines. */
export function PatternsPage() {
  useRowKeys();
  const filter = route.useSearch();
  const host = useChosenHost();
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(logPatternsQuery(queryOf(filter, host)));
  const sight = useSight();
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  useTitle("Log patterns");

  return (
    <Page>
      <PageHeader
        title="Logs"
        note={data && sight === "known" && `${countOf(data.patterns_total, "pattern")} in ${countOf(data.searched.containers, "log")}`}
      >
        <Button onClick={() => void refetch()} disabled={isFetching} title="Search again">
          <RefreshCw size={14} aria-hidden />
          {isFetching ? "Searching" : "Refresh"}
        </Button>
      </PageHeader>
      <ViewTabs current="patterns" />
      <RuntimeNotice />
      <div role="toolbar" aria-label="Filters" className="flex flex-wrap items-center gap-2 pt-4 pb-3">
        <FilterBar found={[]} />
      </div>
      {hasFailed && (
        <ErrorNote what="Could not search the logs." error={error} onRetry={() => void refetch()}>
          {data !== undefined && "The patterns below may be out of date."}
        </ErrorNote>
      )}
      {(isPending || sight === "pending") && <SkeletonRows count={12} label="Searching logs" />}
      {data !== undefined && sight === "unknown" && <UnknownContainers />}
      {data !== undefined && sight === "known" && (
        <div className={classNames(isPlaceholderData && "opacity-60")}>
          <Gaps gaps={data.gaps} total={data.gaps_total} />
          {data.patterns.length === 0 ? (
            <NoLines filter={filter} isComplete={data.is_complete} />
          ) : (
            <ul aria-label="Patterns" className="border-t border-line">
              {data.patterns.map((pattern) => (
                <PatternRow key={pattern.pattern} pattern={pattern} />
              ))}
            </ul>
          )}
          {data.patterns_total > data.patterns.length && (
            <p className="mt-3 text-ink-2">{formatCount(data.patterns_total - data.patterns.length)} rarer patterns are not shown.</p>
          )}
        </div>
      )}
    </Page>
  );
}
