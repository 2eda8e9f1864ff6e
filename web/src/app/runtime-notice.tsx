import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { runtimeStatusQuery } from "../api/queries.ts";
import { runtimeName } from "../format/runtime-name.ts";
import { Timestamp } from "../ui/timestamp.tsx";
import { useAgents } from "./agents.ts";
import { LOCAL_HOST } from "./host-id.ts";
import { useChosenHost, useHostName, useHosts, useLostHosts, useLostRuntimes } from "./hosts.ts";

/** Says that the container runtime, or the chosen host, cannot be reached, since when, why, and what to do; nothing while it can. */
export function RuntimeNotice() {
  const chosen = useChosenHost();
  return chosen === undefined || chosen === LOCAL_HOST.id ? <LocalNotice /> : <AgentNotice id={chosen} withRuntime />;
}

/** The same for what does not depend on a runtime: endpoints and certificates. */
export function AgentLostNotice() {
  const chosen = useChosenHost();
  return chosen === undefined || chosen === LOCAL_HOST.id ? null : <AgentNotice id={chosen} />;
}

function AgentNotice({ id, withRuntime = false }: { id: string; withRuntime?: boolean }) {
  const name = useHostName()(id);
  const since = useLostHosts()[id];
  const runtimeSince = useLostRuntimes()[id];
  const revokedAt = useAgents().get(id)?.revoked_at ?? null;
  if (since === undefined) {
    return withRuntime && runtimeSince !== undefined ? <RemoteRuntimeNotice id={id} name={name} since={runtimeSince} /> : null;
  }
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

function RemoteRuntimeNotice({ id, name, since }: { id: string; name: string; since: string }) {
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

function LocalNotice() {
  const { data } = useQuery(runtimeStatusQuery);
  const several = useHosts().length > 1;
  if (data === undefined || !data.watched || data.connected) return null;
  return (
    <Notice
      title={
        <>
          {runtimeName(data.runtime, data.version)} {several && "on the local host "}has been unreachable since{" "}
          <Timestamp at={data.since} />
        </>
      }
    >
      {data.error !== null && (
        <p dir="auto" className="max-w-[90ch] wrap-anywhere text-ink-2">
          {data.error}
        </p>
      )}
      <p className="text-ink-2">Below is {several ? "its" : "the"} last known state. Binnacle retries and catches up automatically.</p>
    </Notice>
  );
}

function Notice({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div role="alert" className="mt-4 flex gap-3 rounded border border-line bg-down-soft px-4 py-3">
      <Unplug size={16} aria-hidden className="mt-0.5 shrink-0 text-down" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-[550]">{title}</p>
        {children}
      </div>
    </div>
  );
}
