import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { agentsQuery } from "../api/agents.ts";
import { hostsQuery } from "../api/queries.ts";
import { useCapability } from "./capability.ts";
import { LOCAL_HOST, shortName } from "./host-id.ts";
import { HostsContext, lostHosts, namedHosts, NO_OTHERS, type KnownHosts } from "./hosts.ts";

/** Tells everything in it which hosts are watched. It changes only when a host comes, goes, is renamed, lost or found. */
export function HostsProvider({ children }: { children: ReactNode }) {
  const { data: hosts = NO_OTHERS.hosts } = useQuery({ ...hostsQuery, select: namedHosts });
  const { data: lost = NO_OTHERS.lost } = useQuery({
    ...agentsQuery,
    enabled: useAsksAgents(hosts.some(({ id }) => id !== LOCAL_HOST.id)),
    select: lostHosts,
  });
  const known = useMemo((): KnownHosts => {
    const names = new Map(hosts.map(({ id, name }) => [id, name]));
    return { hosts, lost, nameOf: (id) => names.get(id) ?? shortName(id) };
  }, [hosts, lost]);
  return <HostsContext value={known}>{children}</HostsContext>;
}

/** Whether agents are asked for where there may be some: an edition without them would only refuse. */
export function useAsksAgents(maybe = true): boolean {
  const { isGranted, isAsked } = useCapability()("agents");
  return maybe && isGranted && !isAsked;
}
