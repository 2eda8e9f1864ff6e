import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { heartbeatQuery, setHeartbeatPaused } from "../../../api/heartbeat-queries.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { heartbeatStatus } from "../../../format/heartbeat-status.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { headline } from "./headline.ts";

/** Whose page it is, how it is and why, and what can be done with it. */
export function HeartbeatHeader({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const { status, word } = heartbeatStatus(heartbeat);
  const what = useNow((nowMs) => headline(heartbeat, nowMs).what);
  const detail = useNow((nowMs) => headline(heartbeat, nowMs).detail);
  const pausing = usePausing(heartbeat);
  const isPaused = heartbeat.status === "paused";
  return (
    <header>
      <Breadcrumb to="/heartbeats">Heartbeats</Breadcrumb>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1
          title={heartbeat.name}
          className="line-clamp-2 min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl"
        >
          <bdi>{heartbeat.name}</bdi>
        </h1>
        <Changed value={`${status} ${word}`} className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </Changed>
        {heartbeat.tags.length > 0 && <span className="wrap-anywhere text-ink-2">{heartbeat.tags.join(", ")}</span>}
      </div>
      <p className="mt-1.5 min-h-5 wrap-anywhere tabular-nums">
        {what} <span className="text-ink-2">{detail}</span>
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button disabled={pausing.isPending} onClick={() => pausing.mutate(!isPaused)}>
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <OpenLink open="edit" id={heartbeat.id} />
        <OpenLink open="delete" id={heartbeat.id} />
      </div>
      {pausing.error !== null && (
        <ErrorNote what={`It was not ${pausing.variables === true ? "paused" : "resumed"}.`} error={pausing.error}>
          Nothing changed.
        </ErrorNote>
      )}
    </header>
  );
}

function usePausing({ id }: HeartbeatRecord) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isPaused: boolean) => setHeartbeatPaused(id, isPaused),
    onSuccess(heartbeat) {
      queryClient.setQueryData(heartbeatQuery(id).queryKey, (detail) => detail && { ...detail, heartbeat });
    },
  });
}

/** Opens a window of the page; its address can be kept. */
function OpenLink({ open, id }: { open: "edit" | "delete"; id: number }) {
  const isDelete = open === "delete";
  return (
    <Link
      to="/heartbeats/$id"
      params={{ id }}
      search={(search) => ({ ...search, open })}
      resetScroll={false}
      className={buttonClass(isDelete ? "danger" : "plain")}
    >
      {isDelete ? "Delete" : "Edit"}
    </Link>
  );
}
