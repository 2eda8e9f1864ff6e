import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertsQuery } from "../../api/alert-queries.ts";
import { isApiError } from "../../api/client.ts";
import { useAlertOverlay } from "../../app/alert-acts.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { countOf } from "../../format/number.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { AlertsTabs } from "./alerts-tabs.tsx";
import { HistoryBar } from "./history-bar.tsx";
import { isNarrowed, queryOf } from "./history-filter.ts";
import { HistoryTable } from "./history-table.tsx";

const route = getRouteApi("/alerts/history");

/** Every alert there was, the latest first, narrowed by what the address says. */
export function AlertHistoryPage() {
  const filter = route.useSearch();
  const host = useChosenHost();
  const query = useInfiniteQuery(alertsQuery(queryOf(filter, host)));
  const overlay = useAlertOverlay();
  const alerts = useMemo(() => query.data?.pages.flatMap((page) => page.alerts).map(overlay) ?? [], [query.data, overlay]);
  const total = query.data?.pages[0]?.total;
  const hasFailed = query.error !== null && (query.data === undefined || !isApiError(query.error, "unreachable"));
  useTitle("Alert history");

  return (
    <Page>
      <PageHeader title="Alerts" note={total === undefined ? undefined : countOf(total, "alert")} />
      <AlertsTabs />
      <HistoryBar entityName={filter.entity === undefined ? undefined : alerts[0]?.entity_name} />
      {hasFailed && (
        <ErrorNote what="Could not load the history." error={query.error} onRetry={() => void query.refetch()}>
          Monitoring continues.{query.data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {query.isPending && (
        <div className="mt-11">
          <SkeletonRows count={10} label="Loading history" />
        </div>
      )}
      {total === 0 && (isNarrowed(filter) || host !== undefined ? <NothingMatches hasFilter={isNarrowed(filter)} /> : <NoHistory />)}
      {alerts.length > 0 && <HistoryTable alerts={alerts} total={total ?? alerts.length} />}
      {query.hasNextPage && (
        <MoreRows
          what="alert"
          hidden={Math.max((total ?? 0) - alerts.length, 1)}
          isReading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </Page>
  );
}

function NoHistory() {
  return (
    <EmptyState title="No alerts yet">
      <p>Resolved alerts stay here with their cause, who was notified and who acknowledged.</p>
    </EmptyState>
  );
}

function NothingMatches({ hasFilter }: { hasFilter: boolean }) {
  return (
    <EmptyState title="No results">
      <p>{hasFilter ? "No alerts match the filters." : "No alerts on this host."}</p>
      <Link to="/alerts/history" search={hasFilter ? {} : { agent_id: undefined }} className={buttonClass()}>
        {hasFilter ? "Clear filters" : "Show all hosts"}
      </Link>
    </EmptyState>
  );
}
