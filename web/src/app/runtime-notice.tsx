import { useQuery } from "@tanstack/react-query";
import { containersQuery, runtimeStatusQuery } from "../api/queries.ts";
import { useAgents } from "./agents.ts";
import { hostId, LOCAL_HOST } from "./host-id.ts";
import { useChosenHost, useHostName, useHosts, useLostHosts, useLostRuntimes } from "./hosts.ts";
import { AgentNotice, LocalNotice, RemoteRuntimeNotice } from "./runtime-notices.tsx";

/** Says that the container runtime, or the chosen host, cannot be reached, since when, why, and what to do; nothing while it can. */
export function RuntimeNotice() {
  const chosen = useChosenHost();
  return chosen === undefined || chosen === LOCAL_HOST.id ? <OfLocal /> : <OfAgent id={chosen} withRuntime />;
}

/** The same for what does not depend on a runtime: endpoints and certificates. */
export function AgentLostNotice() {
  const chosen = useChosenHost();
  return chosen === undefined || chosen === LOCAL_HOST.id ? null : <OfAgent id={chosen} />;
}

function OfAgent({ id, withRuntime = false }: { id: string; withRuntime?: boolean }) {
  const name = useHostName()(id);
  const since = useLostHosts()[id];
  const runtimeSince = useLostRuntimes()[id];
  const revokedAt = useAgents().get(id)?.revoked_at ?? null;
  if (since !== undefined) return <AgentNotice {...{ id, name, since, revokedAt }} />;
  return withRuntime && runtimeSince !== undefined ? <RemoteRuntimeNotice id={id} name={name} since={runtimeSince} /> : null;
}

function OfLocal() {
  const { data } = useQuery(runtimeStatusQuery);
  const { data: containers } = useQuery(containersQuery());
  const several = useHosts().length > 1;
  if (data === undefined || !data.watched || data.connected) return null;
  const { runtime, version, since, error } = data;
  const isKnown = (containers?.groups ?? []).some((group) => group.containers.some((row) => hostId(row) === LOCAL_HOST.id));
  return <LocalNotice {...{ runtime, version, since, error, several, isKnown }} />;
}
