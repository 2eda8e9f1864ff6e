import { useMemo } from "react";
import { useLive } from "../api/live.ts";
import { hostId, LOCAL_HOST } from "./host-id.ts";
import { useChosenHost, useHosts, useLostHosts, useLostRuntimes } from "./hosts.ts";

/** Whether what is known of a thing is how it was last seen, not how it is. */
export type IsUnseen = (type: "container" | "endpoint" | "heartbeat" | "certificate", agentId: string | null) => boolean;

/** Containers are seen by the engine of their host, endpoints and certificates by its agent or by this server, heartbeats by this server. */
export function useIsUnseen(): IsUnseen {
  const lost = useLostHosts();
  const runtimes = useLostRuntimes();
  const isOffline = useLive().phase === "offline";
  return useMemo((): IsUnseen => {
    return (type, agentId) => {
      const host = hostId({ agent_id: agentId });
      return isOffline || lost[host] !== undefined || (type === "container" && runtimes[host] !== undefined);
    };
  }, [lost, runtimes, isOffline]);
}

/** Whether the containers of a host are shown as they were last seen. */
export function useIsHostStale(): (host: string) => boolean {
  const isUnseen = useIsUnseen();
  return (host) => isUnseen("container", host === LOCAL_HOST.id ? null : host);
}

/** The same of everything that is looked at: the chosen host, or all. */
export function useIsStale(): boolean {
  const isStale = useIsHostStale();
  const hosts = useHosts();
  const chosen = useChosenHost();
  return chosen === undefined ? hosts.length > 0 && hosts.every(({ id }) => isStale(id)) : isStale(chosen);
}
