import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useMemo, useState } from "react";
import { KEPT_DAYS } from "../../../../src/contract/retention.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { SortKey } from "../../../../src/monitoring/containers/api.ts";
import { isApiError } from "../../api/client.ts";
import { containersQuery, removedContainersQuery, sparklinesQuery } from "../../api/queries.ts";
import { countOfAll } from "../../api/whole-list.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useChosenHost, useHostName, useHosts } from "../../app/hosts.ts";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useIsHostStale, useIsStale } from "../../app/sight.ts";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { SavedViews } from "../../lists/saved-views-picker.tsx";
import { useColumns } from "../../lists/use-columns.ts";
import { useFolds } from "../../lists/use-folds.ts";
import { orderOf } from "../../lists/sort.ts";
import { useMedia } from "../../app/use-media.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { COLUMN_CHOICES, TRACKS, WIDEST } from "./columns.ts";
import { ContainerTable } from "./container-table.tsx";
import { applyFilter, COLUMN_KEYS, isNarrowed, type ContainerColumn, type ContainerFilter } from "../../entities/containers/filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { flatItems, listItems, type ContainerItem } from "./items.ts";
import { FIRST_ORDER, orderContainers } from "./order.ts";

const route = getRouteApi("/containers");
// Most have some, and what explains the list to the others is long.
const NoContainers = lazy(() => import("../../entities/containers/no-containers.tsx").then((module) => ({ default: module.NoContainers })));
const NoneRemoved = lazy(() => import("../../entities/containers/no-containers.tsx").then((module) => ({ default: module.NoneRemoved })));

/** All containers in their groups, narrowed by what the address says. */
export function ContainersPage() {
  const filter = route.useSearch();
  const host = useChosenHost();
  const removed = filter.view === "removed";
  const [pages, setPages] = useState(1);
  const { data, error, isPending, isFetching, refetch } = useQuery(removed ? removedContainersQuery(pages) : containersQuery());
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const hasRoomForLines = useMedia("(min-width: 1280px)");
  const { data: sparkSeries } = useQuery({ ...sparklinesQuery, enabled: hasRoomForLines && !removed });
  const hosts = useHosts();
  const nameOf = useHostName();
  const isHostStale = useIsHostStale();
  const stale = useIsStale() && !removed;

  // Typing stays quick with thousands of rows: the list follows when there is time.
  const shownFilter = useDeferredValue(filter);
  const groups = useMemo(() => applyFilter(data?.groups ?? [], { ...shownFilter, host }), [data, shownFilter, host]);
  const items = useItems(groups, shownFilter);
  const remembered = useFolds("containers");
  // What was looked for is not hidden.
  const folds = shownFilter.sort !== undefined || isNarrowed(shownFilter) ? undefined : remembered;
  const columns = useColumns("containers", { choices: COLUMN_CHOICES, widest: WIDEST, tracks: TRACKS, inAddress: filter.columns });
  const shown = groups.reduce((sum, group) => sum + group.containers.length, 0);
  const total = data?.groups.reduce((sum, group) => sum + group.containers.length, 0) ?? 0;

  const title = removed ? "Removed containers" : "Containers";
  useTitle(data === undefined ? title : `${title} (${formatCount(shown)})`);

  return (
    <Page>
      <PageHeader
        title={title}
        note={
          // Of an engine that was never reached nobody knows how many there are.
          data !== undefined &&
          !(stale && total === 0) && (
            <>
              {countNote({
                shown,
                total: countOfAll(data, total),
                hosts: hosts.length,
                name: host === undefined ? undefined : nameOf(host),
              })}{" "}
              <OtherView removed={removed} archivedCount={data.archived_count} />
            </>
          )
        }
      >
        {(isPending || total > 0) && (
          <>
            <FilterBar groups={data?.groups ?? []} showsSort={isHidden(filter.sort, columns.chosen)} />
            <SavedViews list="containers" shown={{ ...filter, columns: columns.param }} />
            <DisplayMenu folds={folds} columns={columns.rows} />
          </>
        )}
      </PageHeader>
      {!removed && <RuntimeNotice />}
      {removed && <p className="mt-1 text-ink-2">Removed from their host. History is kept for {KEPT_DAYS.removedContainers} days.</p>}
      {hasFailed && (
        <ErrorNote what="Could not load containers." error={error} onRetry={() => void refetch()}>
          Your containers are not affected.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && <LoadingTable />}
      {data !== undefined && total === 0 && <Suspense>{removed ? <NoneRemoved /> : !stale && <NoContainers />}</Suspense>}
      {total > 0 && shown === 0 && <NothingMatches total={total} />}
      {shown > 0 && (
        <ContainerTable
          items={items}
          attributes={columns.attributes}
          folds={folds}
          lines={sparkSeries?.lines}
          stale={stale}
          isHostStale={(id) => !removed && isHostStale(id)}
          withHosts={hosts.length > 1 && host === undefined}
          arePresent={!removed}
        />
      )}
      {removed && data !== undefined && data.next_cursor !== null && (
        <MoreRemoved loaded={total} total={data.total} isBusy={isFetching} onMore={() => setPages(pages + 1)} />
      )}
    </Page>
  );
}

/** The lines of the list: in groups, or sorted without any. */
function useItems(groups: ContainerList["groups"], { sort, order }: ContainerFilter): ContainerItem[] {
  return useMemo(
    () =>
      sort === undefined ? listItems(groups) : flatItems(orderContainers(groups, { sort, order: orderOf({ sort, order }, FIRST_ORDER) })),
    [groups, sort, order],
  );
}

/** Whether the column that the list is sorted by was left out. */
function isHidden(sort: SortKey | undefined, chosen: readonly ContainerColumn[] | undefined): boolean {
  return COLUMN_KEYS.some((key) => key === sort) && chosen?.every((key) => key !== sort) === true;
}

interface MoreProperties {
  loaded: number;
  total: number;
  isBusy: boolean;
  onMore: () => void;
}

/** Removed containers come page by page. */
function MoreRemoved({ loaded, total, isBusy, onMore }: MoreProperties) {
  return (
    <div className="mt-3 flex items-center gap-3">
      <Button disabled={isBusy} onClick={onMore}>
        Show more
      </Button>
      <span className="text-ink-2">
        {formatCount(loaded)} of {formatCount(total)} loaded; filters apply to these.
      </span>
    </div>
  );
}

function countNote({ shown, total, hosts, name }: { shown: number; total: number; hosts: number; name: string | undefined }): string {
  const count = shown === total ? formatCount(total) : `${formatCount(shown)} of ${formatCount(total)}`;
  return hosts === 0 ? count : `${count} on ${name ?? countOf(hosts, "host")}`;
}

/** The way from the present ones to the removed ones, and back. */
function OtherView({ removed, archivedCount }: { removed: boolean; archivedCount: number }) {
  if (!removed && archivedCount === 0) return null;
  return (
    <>
      ·{" "}
      <Link to="/containers" search={removed ? {} : { view: "removed" }} className="underline underline-offset-2 hover:text-ink">
        {removed ? "Show current" : `${formatCount(archivedCount)} removed`}
      </Link>
    </>
  );
}

function LoadingTable() {
  return (
    <div className="mt-11">
      <SkeletonRows count={12} label="Loading containers" />
    </div>
  );
}

function NothingMatches({ total }: { total: number }) {
  const filter = route.useSearch();
  return (
    <EmptyState title="No results">
      <p>
        {isNarrowed(filter)
          ? `None of ${countOf(total, "container")} matches the filters.`
          : `None of ${countOf(total, "container")} is on this host.`}
      </p>
      <Link
        to="/containers"
        search={isNarrowed(filter) ? { view: filter.view } : { view: filter.view, agent_id: undefined }}
        className={buttonClass()}
      >
        {isNarrowed(filter) ? "Clear filters" : "Show all hosts"}
      </Link>
    </EmptyState>
  );
}
