import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { isApiError } from "../../api/client.ts";
import { heartbeatsQuery } from "../../api/heartbeat-queries.ts";
import { countOfAll } from "../../api/whole-list.ts";
import { usePauseOf } from "../../app/alert-acts.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { heartbeatNeedsAttention } from "../../format/heartbeat-status.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { applyFilter } from "../../entities/heartbeats/filter.ts";
import { isNarrowed } from "../../entities/heartbeats/search.ts";
import { heartbeatMonitor } from "../../entities/monitors/monitor.ts";
import { SelectedMonitors } from "../../entities/monitors/selected-monitors.tsx";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { SavedViews } from "../../lists/saved-views-picker.tsx";
import { useSelection } from "../../lists/use-selection.ts";
import { FilterBar } from "./filter-bar.tsx";
import { HeartbeatTable } from "./heartbeat-table.tsx";

const route = getRouteApi("/heartbeats");
const NONE: never[] = [];

/** All heartbeats: which jobs reported, which did not, narrowed by what the address says. */
export function HeartbeatsPage() {
  const filter = route.useSearch();
  const host = useChosenHost();
  const { data, error, isPending, refetch } = useQuery(heartbeatsQuery);
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));
  const pauseOf = usePauseOf("heartbeat");
  const all = useMemo(() => (data?.heartbeats ?? NONE).map((heartbeat) => withPause(heartbeat, pauseOf(heartbeat.id))), [data, pauseOf]);
  const shownFilter = useDeferredValue(filter);
  const shown = useMemo(() => applyFilter(all, { ...shownFilter, host }), [all, shownFilter, host]);
  const selection = useSelection(shown);
  const wrong = shown.filter(heartbeatNeedsAttention).length;
  useTitle(data === undefined ? "Heartbeats" : `Heartbeats (${formatCount(shown.length)}${wrong === 0 ? "" : `, ${wrong} down`})`);

  return (
    <Page>
      <PageHeader title="Heartbeats" note={data && countNote({ shown: shown.length, total: countOfAll(data, all.length), wrong })}>
        {(isPending || all.length > 0) && (
          <>
            <FilterBar heartbeats={all} />
            <SavedViews list="heartbeats" shown={filter} />
            <DisplayMenu onSelect={selection.start} />
          </>
        )}
        <Link to="/heartbeats/new" className={buttonClass("primary", "max-sm:w-full")}>
          <Plus size={16} aria-hidden />
          New heartbeat
        </Link>
      </PageHeader>
      {hasFailed && (
        <ErrorNote what="Could not load heartbeats." error={error} onRetry={() => void refetch()}>
          Your jobs are not affected. Pings are still accepted.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-11">
          <SkeletonRows count={8} label="Loading heartbeats" />
        </div>
      )}
      {data !== undefined && all.length === 0 && <NoHeartbeats />}
      {all.length > 0 && shown.length === 0 && <NothingMatches total={all.length} />}
      {shown.length > 0 && <HeartbeatTable heartbeats={shown} selection={selection} />}
      <SelectedMonitors selection={selection} shown={shown.length} toMonitor={heartbeatMonitor} />
    </Page>
  );
}

/** As it will be once what was done about it has arrived; how it is once it is resumed only the server knows. */
function withPause(heartbeat: HeartbeatRecord, paused: boolean | undefined): HeartbeatRecord {
  return paused === true && heartbeat.status !== "paused" ? { ...heartbeat, status: "paused" } : heartbeat;
}

function countNote({ shown, total, wrong }: Record<"shown" | "total" | "wrong", number>): string {
  if (total === 0) return "";
  const count = shown === total ? formatCount(total) : `${formatCount(shown)} of ${formatCount(total)}`;
  return wrong === 0 ? count : `${count}, ${wrong === 1 ? "1 needs" : `${formatCount(wrong)} need`} attention`;
}

/** What a heartbeat is, and how to get one. */
function NoHeartbeats() {
  return (
    <EmptyState title="No heartbeats yet">
      <p>
        A heartbeat monitors backups, cron jobs and other scheduled tasks. The job pings a URL when done. If a ping is late or reports a
        failure, an alert fires. Create one here or with a command:
      </p>
      <CommandLine
        command={`curl -X POST ${location.origin}/api/v1/heartbeats -H 'content-type: application/json' -d '{"name": "nightly-backup", "cron": "30 3 * * *", "timezone": "${ownZone()}"}'`}
      />
      <p>The response contains the ping_url. Call it at the end of your job.</p>
    </EmptyState>
  );
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function NothingMatches({ total }: { total: number }) {
  const filter = route.useSearch();
  const narrowed = isNarrowed(filter);
  return (
    <EmptyState title="No results">
      <p>
        {narrowed
          ? `None of ${countOf(total, "heartbeat")} matches the filters.`
          : `None of ${countOf(total, "heartbeat")} is on this host.`}
      </p>
      <Link to="/heartbeats" search={narrowed ? {} : { agent_id: undefined }} className={buttonClass()}>
        {narrowed ? "Clear filters" : "Show all hosts"}
      </Link>
    </EmptyState>
  );
}
