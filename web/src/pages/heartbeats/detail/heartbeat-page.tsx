import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { HeartbeatDetail, DailyUptime, HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { heartbeatQuery, heartbeatUptimeQuery } from "../../../api/heartbeat-queries.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { heartbeatStatus } from "../../../format/heartbeat-status.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { UptimeSection } from "../../../ui/uptime-section.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { FirstPing } from "./first-ping.tsx";
import { HeartbeatFacts } from "./heartbeat-facts.tsx";
import { HeartbeatHeader } from "./heartbeat-header.tsx";
import { meanUptime } from "./mean-uptime.ts";
import { PingsSection } from "./pings-section.tsx";
import { ReportSection } from "./report-section.tsx";
import { RunsSection } from "./runs-section.tsx";

const route = getRouteApi("/heartbeats/$id");

/** One heartbeat: how it is and why, what its job did, and how the job reports. */
export function HeartbeatPage() {
  useRowKeys();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({ ...heartbeatQuery(id), enabled: Number.isSafeInteger(id) });
  useTitle(data === undefined ? `Heartbeat ${id}` : titleOf(data));

  if (!Number.isSafeInteger(id) || isApiError(error, "not_found") || isApiError(error, "invalid_request")) return <NoSuchHeartbeat />;
  if (data !== undefined) return <Known key={id} detail={data} />;
  if (error !== null) {
    return (
      <Page>
        <ErrorNote what="Could not load the heartbeat." error={error} onRetry={() => void refetch()}>
          Pings are still accepted.
        </ErrorNote>
      </Page>
    );
  }
  return <Loading />;
}

function Known({ detail: { heartbeat, snippets } }: { detail: HeartbeatDetail }) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  // What was new when the page was opened is being set up: that stays in place also once the first ping is here.
  const [isSetUp] = useState(heartbeat.last_ping_at === null);
  const report = <ReportSection heartbeat={heartbeat} snippets={snippets} />;
  const close = (): void => void navigate({ search: ({ open: _open, ...search }) => search, replace: true, resetScroll: false });
  return (
    <Page>
      <HeartbeatHeader heartbeat={heartbeat} />
      {isSetUp && <FirstPing heartbeat={heartbeat} />}
      {isSetUp && report}
      <HeartbeatFacts heartbeat={heartbeat} />
      <RunsSection heartbeat={heartbeat} />
      <HeartbeatUptime heartbeat={heartbeat} />
      <PingsSection heartbeat={heartbeat} />
      {!isSetUp && report}
      {open === "edit" && <EditDialog heartbeat={heartbeat} onClose={close} />}
      {open === "delete" && <DeleteDialog heartbeat={heartbeat} onClose={close} />}
    </Page>
  );
}

function titleOf({ heartbeat }: HeartbeatDetail): string {
  const { status, word, cause } = heartbeatStatus(heartbeat);
  const state = status === "ok" ? "" : `: ${word.toLowerCase()}${cause === undefined ? "" : `, ${cause}`}`;
  return `${heartbeat.name}${state}`;
}

function NoSuchHeartbeat() {
  return (
    <NoSuchThing kind="Heartbeat" to="/heartbeats" list="heartbeats">
      It may have been deleted, with its history.
    </NoSuchThing>
  );
}

function Loading() {
  return (
    <Page>
      <div role="status" aria-label="Loading heartbeat">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="mt-2 h-6 w-56" />
        <Skeleton className="mt-3 h-4 w-80 max-w-full" />
        <Skeleton className="mt-8 h-40 w-full" />
      </div>
    </Page>
  );
}

const SPANS = [7, 30, 90];
const NONE: DailyUptime["days"] = [];

/** How much of the time nothing was wrong with it. */
function HeartbeatUptime({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const { data, error, refetch } = useQuery(heartbeatUptimeQuery(heartbeat.id));
  const days = data?.days ?? NONE;
  return (
    <UptimeSection
      aside="Neither late nor failed, of monitored time"
      figures={SPANS.map((length) => [`${length} days`, meanUptime(days.slice(0, length))])}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
