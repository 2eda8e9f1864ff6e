import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { tokenQuery } from "../../api/agents.ts";
import { isApiError } from "../../api/client.ts";
import type { Status } from "../../format/status.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Changed } from "../../ui/changed.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { useAgentList } from "./use-agent-list.ts";
import { progressOf, type Progress } from "./words.ts";

const PROGRESS_WORDS: Readonly<Record<Progress, { status: Status; word: string }>> = {
  waiting: { status: "idle", word: "Waiting for the agent" },
  enrolled: { status: "degraded", word: "Enrolled, not connected yet" },
  connected: { status: "ok", word: "Connected" },
  expired: { status: "degraded", word: "The token has expired" },
  gone: { status: "degraded", word: "The token was deleted" },
};

interface Properties {
  /** The token's. */
  id: string;
  /** What is to be done, as long as it waits. */
  children: ReactNode;
}

/** Whether the agent of a token has come: events of the server show it, and after a break everything is read again. */
export function EnrollProgress({ id, children }: Properties) {
  const { data: token, error, isPending, refetch } = useQuery(tokenQuery(id));
  const { data: list } = useAgentList({ freshMs: 1000 });
  const isGone = isApiError(error, "not_found");
  const agent = list?.agents.find((each) => each.id === token?.agent_id);
  const progress = useNow((nowMs) => progressOf(isGone ? undefined : token, agent, nowMs));
  const { status, word } = PROGRESS_WORDS[progress];
  const agentId = token?.agent_id ?? null;
  // Also while that cannot be read: the token is shown here alone.
  const isOpen = !isGone && (token === undefined || progress === "waiting");

  return (
    <>
      {isPending && <Skeleton className="mt-6 h-6 w-64" />}
      {error !== null && !isGone && token === undefined && (
        <ErrorNote what="Could not load progress." error={error} onRetry={() => void refetch()} />
      )}
      {(token !== undefined || isGone) && (
        <div role="status" className="mt-6 flex min-h-13 flex-col items-start gap-1">
          <Changed value={word} className="flex items-center gap-2 text-lg font-[550]">
            <StatusIcon status={status} size={14} />
            {agent === undefined ? word : <Named name={agent.label}>{lowerFirst(word)}</Named>}
          </Changed>
          {progress === "waiting" && token !== undefined && (
            <p className="text-ink-2">
              This page updates automatically. The token expires at <Timestamp at={token.expires_at} precision="minute" />.
            </p>
          )}
          {progress === "enrolled" && (
            <p className="max-w-[68ch] text-ink-2">
              The token was used{agent === undefined ? "" : ` by ${agent.hostname}`}. It connects within seconds. If it does not, check the
              agent's log.
            </p>
          )}
          {(progress === "expired" || progress === "gone") && (
            <>
              <p className="text-ink-2">It no longer works. The agent's log shows this too.</p>
              <Link to="/hosts/new" search={{}} className={buttonClass("primary", "mt-2")}>
                Generate another token
              </Link>
            </>
          )}
          {progress === "connected" && <p className="text-ink-2">Data appears as it arrives, starting with its containers.</p>}
          {agentId !== null && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Link to="/hosts/$id" params={{ id: agentId }} className={buttonClass(progress === "connected" ? "primary" : "plain")}>
                Show the host
              </Link>
              <Link to="/hosts/new" search={{}} className={buttonClass()}>
                Add another
              </Link>
            </div>
          )}
        </div>
      )}
      {isOpen && children}
    </>
  );
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      <bdi>{name}</bdi>: {children}
    </span>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
