import { Link } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { runtimeName } from "../format/runtime-name.ts";
import { Timestamp } from "../ui/timestamp.tsx";

/** A host whose agent was revoked or is not connected. */
export function AgentNotice({ id, name, since, revokedAt }: { id: string; name: string; since: string; revokedAt: string | null }) {
  if (revokedAt !== null) {
    return (
      <Notice
        title={
          <>
            <bdi>{name}</bdi> was revoked: <Timestamp at={revokedAt} />
          </>
        }
      >
        <p className="text-ink-2">
          Below is its last known state. It no longer sends data. Its history is kept until you delete the host.{" "}
          <Link to="/hosts/$id" params={{ id }} className="underline underline-offset-2 hover:text-ink">
            Show the host
          </Link>
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      title={
        <>
          <bdi>{name}</bdi> has been disconnected since <Timestamp at={since} />
        </>
      }
    >
      <p className="text-ink-2">
        Below is its last known state. The agent keeps recording and sends its data after it reconnects.{" "}
        <Link to="/hosts/$id" params={{ id }} className="underline underline-offset-2 hover:text-ink">
          How to fix this
        </Link>
      </p>
    </Notice>
  );
}

/** The container engine of a host whose agent is connected. */
export function RemoteRuntimeNotice({ id, name, since }: { id: string; name: string; since: string }) {
  return (
    <Notice
      title={
        <>
          The container engine of <bdi>{name}</bdi> has been unreachable since <Timestamp at={since} />
        </>
      }
    >
      <p className="text-ink-2">
        Below is its last known state. The agent retries and catches up automatically.{" "}
        <Link to="/alerts" search={{ agent_id: id }} className="underline underline-offset-2 hover:text-ink">
          Show its alerts
        </Link>
      </p>
    </Notice>
  );
}

interface LocalProperties {
  runtime: string;
  version: string | null;
  since: string;
  error: string | null;
  /** There are other hosts. */
  several: boolean;
  /** It has been reached before. */
  isKnown: boolean;
}

/** The container engine of the server's own host. */
export function LocalNotice({ runtime, version, since, error, several, isKnown }: LocalProperties) {
  return (
    <Notice
      title={
        <>
          {runtimeName(runtime, version)} {several && "on the local host "}has been unreachable since <Timestamp at={since} />
        </>
      }
    >
      {error !== null && (
        <p dir="auto" className="max-w-[90ch] wrap-anywhere text-ink-2">
          {error}
        </p>
      )}
      <p className="text-ink-2">
        {isKnown ? `Below is ${several ? "its" : "the"} last known state.` : "Nothing is known about its containers yet."} Binnacle retries
        and catches up automatically.
      </p>
    </Notice>
  );
}

function Notice({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div role="alert" className="mt-4 flex gap-3 rounded border border-line bg-down-soft px-4 py-3">
      <Unplug size={16} aria-hidden className="mt-0.5 shrink-0 text-down" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-[550] wrap-anywhere">{title}</p>
        {children}
      </div>
    </div>
  );
}
