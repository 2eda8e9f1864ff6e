import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { KEPT_DAYS } from "../../../../src/contract/retention.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import { isApiError } from "../../api/client.ts";
import { endpointsQuery, endpointSparklinesQuery } from "../../api/endpoint-queries.ts";
import { countOfAll } from "../../api/whole-list.ts";
import { usePauseOf } from "../../app/alert-acts.ts";
import { useChosenHost, useIsHostLost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { AgentLostNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { SavedViews } from "../../lists/saved-views-picker.tsx";
import { useColumns } from "../../lists/use-columns.ts";
import { useSelection } from "../../lists/use-selection.ts";
import { FilterBar } from "./filter-bar.tsx";
import { COLUMN_CHOICES, TRACKS, WIDEST } from "../../entities/endpoints/columns.ts";
import { applyFilter } from "../../entities/endpoints/filter.ts";
import { NoEndpoints } from "../../entities/endpoints/no-endpoints.tsx";
import { isNarrowed } from "../../entities/endpoints/search.ts";
import { endpointMonitor } from "../../entities/monitors/monitor.ts";
import { SelectedMonitors } from "../../entities/monitors/selected-monitors.tsx";

const route = getRouteApi("/endpoints");
const EndpointDialog = lazy(() => import("./detail/endpoint-dialog.tsx").then((module) => ({ default: module.EndpointDialog })));
const NONE: EndpointRecord[] = [];

/** All endpoints, those that need somebody first, narrowed by what the address says. */
export function EndpointsPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const inactive = filter.view === "inactive";
  const { data, error, isPending, refetch } = useQuery(endpointsQuery({ inactive }));
  const { data: sparklines } = useQuery({ ...endpointSparklinesQuery, enabled: !inactive });
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));

  const shownFilter = useDeferredValue(filter);
  const pauseOf = usePauseOf("endpoint");
  const all = useMemo(() => (data?.endpoints ?? NONE).map((endpoint) => withPause(endpoint, pauseOf(endpoint.id))), [data, pauseOf]);
  const isHostLost = useIsHostLost();
  const shown = useMemo(() => applyFilter(all, { ...shownFilter, host }, isHostLost), [all, shownFilter, host, isHostLost]);
  const title = inactive ? "Inactive endpoints" : "Endpoints";
  useTitle(data === undefined ? title : `${title} (${formatCount(shown.length)})`);

  const columns = useColumns("endpoints", { choices: COLUMN_CHOICES, widest: WIDEST, tracks: TRACKS, inAddress: filter.columns });
  const selection = useSelection(shown, !inactive);

  function openForm(create: "yes" | undefined): void {
    void navigate({ search: (search) => ({ ...search, create, target: undefined }), replace: create === undefined, resetScroll: false });
  }

  return (
    <Page>
      <PageHeader title={title} note={data && <Note shown={shown} total={countOfAll(data, all.length)} inactive={inactive} />}>
        {(isPending || all.length > 0) && (
          <>
            <FilterBar endpoints={all} />
            <SavedViews list="endpoints" shown={{ ...filter, columns: columns.param }} />
            <DisplayMenu columns={columns.rows} onSelect={inactive ? undefined : selection.start} />
          </>
        )}
        {!inactive && (
          <Button kind="primary" className="max-sm:w-full" onClick={() => openForm("yes")}>
            <Plus size={16} aria-hidden /> Add endpoint
          </Button>
        )}
      </PageHeader>
      {inactive && (
        <p className="mt-1 text-ink-2">
          Their label was removed, so checks have stopped. History is kept for {KEPT_DAYS.inactiveEndpoints} days.
        </p>
      )}
      <AgentLostNotice />
      {hasFailed && (
        <ErrorNote what="Could not load endpoints." error={error} onRetry={() => void refetch()}>
          Monitoring continues.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-11">
          <SkeletonRows count={8} label="Loading endpoints" />
        </div>
      )}
      {data !== undefined && all.length === 0 && (inactive ? <NoneInactive /> : <NoEndpoints />)}
      {all.length > 0 && shown.length === 0 && <NothingMatches total={all.length} />}
      {shown.length > 0 && (
        <EndpointTable
          label={title}
          endpoints={shown}
          lines={sparklines?.endpoints}
          chosen={columns.chosen}
          attributes={columns.attributes}
          selection={inactive ? undefined : selection}
        />
      )}
      <SelectedMonitors selection={selection} shown={shown.length} toMonitor={endpointMonitor} />
      {filter.create !== undefined && (
        <Suspense>
          <EndpointDialog
            target={filter.target}
            onClose={() => openForm(undefined)}
            onSaved={({ id }) => void navigate({ to: "/endpoints/$id", params: { id }, search: {}, replace: true })}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** As it will be once what was done about it has arrived. */
function withPause(endpoint: EndpointRecord, paused: boolean | undefined): EndpointRecord {
  return paused === undefined || paused === endpoint.paused ? endpoint : { ...endpoint, paused };
}

/** How many, how many of them need somebody, and the way to the other view. */
function Note({ shown, total, inactive }: { shown: readonly EndpointRecord[]; total: number; inactive: boolean }) {
  const down = shown.filter(({ status, paused }) => status === "down" && !paused).length;
  return (
    <>
      {shown.length === total ? formatCount(total) : `${formatCount(shown.length)} of ${formatCount(total)}`}
      {down > 0 && `, ${formatCount(down)} down`} ·{" "}
      <Link to="/endpoints" search={inactive ? {} : { view: "inactive" }} className="underline underline-offset-2 hover:text-ink">
        {inactive ? "Show active" : "Show inactive"}
      </Link>
    </>
  );
}

function NoneInactive() {
  return (
    <EmptyState title="No inactive endpoints">
      <p>When a container or its label is removed, the endpoint stays here for {KEPT_DAYS.inactiveEndpoints} days with its history.</p>
    </EmptyState>
  );
}

function NothingMatches({ total }: { total: number }) {
  const filter = route.useSearch();
  const narrowed = isNarrowed(filter);
  return (
    <EmptyState title="No results">
      <p>
        None of {countOf(total, "endpoint")} {narrowed ? "matches the filters" : "is on this host"}.
      </p>
      <Link
        to="/endpoints"
        search={narrowed ? { view: filter.view } : { view: filter.view, agent_id: undefined }}
        className={buttonClass()}
      >
        {narrowed ? "Clear filters" : "Show all hosts"}
      </Link>
    </EmptyState>
  );
}
