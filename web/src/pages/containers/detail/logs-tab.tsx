import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { DAY_MS } from "../../../../../src/contract/time.ts";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { isApiError } from "../../../api/client.ts";
import { logsQuery, transitionsQuery } from "../../../api/queries.ts";
import { useSince } from "../../../app/server-time.ts";
import { LogView } from "../../../logs/log-view.tsx";
import { createOverlap } from "../../../logs/overlap.ts";
import type { LogPart } from "../../../logs/server-log.ts";
import { useLog } from "../../../logs/use-log.ts";
import { useLogAddress } from "../../../logs/use-log-address.ts";
import type { Marker } from "../../../logs/weave.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { describeChanges, type Change } from "./change.ts";
import { headline } from "./headline.ts";
import { WorkloadLogPart } from "./workload-log-part.tsx";

const route = getRouteApi("/containers/$id");

/** What happened within this time is shown between the lines. */
const MARKERS_MS = 30 * DAY_MS;

/** A container's log, with what happened to the container between its lines. */
export function LogsTab({ container }: { container: ContainerRecord }) {
  // Removed under the reader's eyes, it leaves what was read of it.
  const [isGone] = useState(container.archived_at !== null);
  return isGone ? <StoredLog container={container} /> : <LiveLog container={container} />;
}

/** The log of a removed container, where it is stored on the server. */
function StoredLog({ container }: { container: ContainerRecord }) {
  const { data, error, refetch } = useQuery(logsQuery(container.id, { lines: 1 }));
  if (data !== undefined) return <LiveLog container={container} />;
  if (isApiError(error, "not_found")) {
    return (
      <EmptyState title="Logs removed">
        <p>The runtime removed them with the container. The last lines before each exit are in its history.</p>
        <p>To keep logs after their containers, set SERVICE_LOG_RETENTION on the server.</p>
      </EmptyState>
    );
  }
  if (error !== null) return <ErrorNote what="Could not load the log." error={error} onRetry={() => void refetch()} />;
  return <SkeletonRows count={8} label="Loading log" />;
}

function LiveLog({ container }: { container: ContainerRecord }) {
  const { container: chosen, run, log_at: at } = route.useSearch();
  const navigate = route.useNavigate();
  const address = useLogAddress("/containers/$id");
  const markers = useMarkers(container.id);
  const isUp = container.state === "running" || container.state === "paused";
  const isWorkload = container.runtime === "kubernetes";
  const isPrevious = isWorkload && run === "previous";
  const part = useMemo((): LogPart => (isWorkload ? { container: chosen, previous: run && true } : {}), [isWorkload, chosen, run]);
  const log = useLog({
    ...{ route: "GET /api/v1/containers/{id}/logs", id: container.id, part },
    overlap: createOverlap,
    markers,
    runKey: isUp && !isPrevious ? (container.started_at ?? "") : null,
  });
  const end = useNow((nowMs) => headline(container, nowMs).what);
  return (
    <>
      {isWorkload && (
        <WorkloadLogPart
          workload={container}
          container={chosen}
          run={run}
          onChange={(next) => void navigate({ search: (search) => ({ ...search, ...next }), replace: true })}
        />
      )}
      <LogView
        name={container.name}
        log={log}
        {...address}
        at={at}
        containerId={container.id}
        end={
          isPrevious
            ? "These are the last lines before the restart."
            : isUp
              ? "The log ended. Reloading in a moment."
              : `${end} These are the last lines.`
        }
      />
    </>
  );
}

/** What happened to the container, oldest first; null until that is known or is known not to be readable. */
function useMarkers(id: number): Marker[] | null {
  const since = useSince(MARKERS_MS);
  const { data, isPending } = useInfiniteQuery(transitionsQuery(id, { since, limit: 500 }));
  return useMemo(() => {
    if (isPending) return null;
    return describeChanges(data?.pages[0]?.transitions ?? [])
      .filter(isWorthShowing)
      .map(({ transition, what, before, status }) => ({
        id: transition.id,
        at: transition.timestamp,
        words: before === null ? what : `${what}, ${before}`,
        tone: status,
      }))
      .toReversed();
  }, [data, isPending]);
}

function isWorthShowing({ transition }: Change): boolean {
  return transition.previous_state !== null && (transition.previous_state !== transition.new_state || transition.new_health !== "starting");
}
