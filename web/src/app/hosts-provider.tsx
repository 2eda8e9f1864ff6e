import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { agentsQuery } from "../api/agents.ts";
import { activeAlertsQuery } from "../api/alert-queries.ts";
import { hostsQuery, runtimeStatusQuery } from "../api/queries.ts";
import { useCapability } from "./capability.ts";
import { LOCAL_HOST, shortName } from "./host-id.ts";
import { HostsContext, localRuntimeLoss, lostHosts, lostRuntimesOf, namedHosts, NO_OTHERS, silentHosts, type KnownHosts } from "./hosts.ts";

/** Provides everything in it with the watched hosts. It changes only when a host comes, goes, is renamed, lost or found. */
export function HostsProvider({ children }: { children: ReactNode }) {
  const { data: hosts = NO_OTHERS.hosts } = useQuery({ ...hostsQuery, select: namedHosts });
  const hasOthers = hosts.some(({ id }) => id !== LOCAL_HOST.id);
  const { data: silent = NO_OTHERS.lost } = useQuery({ ...hostsQuery, select: silentHosts });
  const { data: lost = silent } = useQuery({ ...agentsQuery, enabled: useAsksAgents(hasOthers), select: lostHosts });
  const { data: localLoss } = useQuery({ ...runtimeStatusQuery, select: localRuntimeLoss });
  const { data: others = NO_OTHERS.lostRuntimes } = useQuery({ ...activeAlertsQuery, enabled: hasOthers, select: lostRuntimesOf });
  const known = useMemo((): KnownHosts => {
    const names = new Map(hosts.map(({ id, name }) => [id, name]));
    const lostRuntimes = localLoss === undefined ? others : { ...others, [LOCAL_HOST.id]: localLoss };
    return { hosts, lost, lostRuntimes, nameOf: (id) => names.get(id) ?? shortName(id) };
  }, [hosts, lost, localLoss, others]);
  return <HostsContext value={known}>{children}</HostsContext>;
}

/** Whether agents are asked for where there may be some: an edition without them would only refuse. */
export function useAsksAgents(maybe = true): boolean {
  const { isGranted, isAsked } = useCapability()("agents");
  return maybe && isGranted && !isAsked;
}
