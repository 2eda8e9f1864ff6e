import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { countOf, formatCount } from "../format/number.ts";
import type { Status } from "../format/status.ts";
import { Age } from "../ui/age.tsx";
import { Button } from "../ui/button.tsx";
import { StatusIcon } from "../ui/status-icon.tsx";
import type { LogSourceState } from "./log-source.ts";
import type { FollowedLog } from "./use-log.ts";

interface Properties {
  log: FollowedLog;
  end: ReactNode;
  containerId: number | undefined;
  /** What is looked for in the lines that are here. */
  query: string;
}

/** The state of the log, and how much of it is loaded. */
export function LogState({ log, end, containerId, query }: Properties) {
  const { snapshot, state, hasOlder } = log;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-xs text-ink-2">
      <span role="status" className="inline-flex min-w-0 items-center gap-2">
        <StatusIcon status={iconOf(state)} size={10} />
        <Phase log={log} end={end} />
      </span>
      {snapshot.lines > 0 && (
        <span className="ml-auto tabular-nums">
          {snapshot.linesShown < snapshot.lines
            ? `${formatCount(snapshot.linesShown)} of ${countOf(snapshot.lines, "line")} shown`
            : countOf(snapshot.lines, "line")}
          {snapshot.dropped > 0 && `, ${formatCount(snapshot.dropped)} older dropped`}
          {snapshot.dropped === 0 && hasOlder && ", older lines not loaded"}
          {(hasOlder || snapshot.dropped > 0) && containerId !== undefined && query !== "" && (
            <>
              {". "}
              <Link
                to="/logs"
                search={{ container: String(containerId), q: query, period: "all" }}
                className="text-ink underline underline-offset-2"
              >
                Search the whole log
              </Link>
            </>
          )}
        </span>
      )}
    </div>
  );
}

function Phase({ log, end }: { log: FollowedLog; end: ReactNode }) {
  const { state, resume } = log;
  switch (state.phase) {
    case "loading":
      return "Loading log";
    case "live":
      return "Live";
    case "ended":
      return <span>{state.reason === "container_removed" ? "The container was removed. These are its last log lines." : end}</span>;
    case "failed":
      if (log.snapshot.lines === 0) return "Not readable";
      return (
        <span>
          {state.message}{" "}
          <button type="button" className="underline hover:text-ink" onClick={resume}>
            Try again
          </button>
        </span>
      );
    case "reconnecting":
      return (
        <span>
          Connection lost, reconnecting <Age at={new Date(state.since).toISOString()} form="ago" />.
          {log.snapshot.lines > 0 && ` ${state.message ?? ""} Missed lines appear after reconnecting.`}
        </span>
      );
  }
}

function iconOf({ phase }: LogSourceState): Status {
  return phase === "live" ? "ok" : phase === "reconnecting" ? "degraded" : phase === "failed" ? "down" : "idle";
}

/** What stands where no lines are. */
export function NoLines({ log, end, onShowAll }: { log: FollowedLog; end: ReactNode; onShowAll: () => void }) {
  const { state, snapshot } = log;
  if (snapshot.lines > 0) {
    return (
      <Centre title={`None of ${countOf(snapshot.lines, "line")} match the filter`}>
        <Button onClick={onShowAll}>Show all lines</Button>
      </Centre>
    );
  }
  switch (state.phase) {
    case "loading":
      return null;
    case "live":
      return <Centre title="No lines yet">New output appears here as it is written.</Centre>;
    case "ended":
      return <Centre title="Log is empty">{end}</Centre>;
    case "reconnecting":
      return <Centre title="Cannot read the log right now">{state.message ?? "Connection lost. Retrying automatically."}</Centre>;
    case "failed":
      return (
        <Centre title="Cannot read the log">
          <p>{state.message}</p>
          <Button onClick={log.resume}>Try again</Button>
        </Centre>
      );
  }
}

function Centre({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 px-6 text-center">
      <h2 className="font-semibold">{title}</h2>
      <div className="flex max-w-[60ch] flex-col items-center gap-3 wrap-anywhere text-ink-2">{children}</div>
    </div>
  );
}
