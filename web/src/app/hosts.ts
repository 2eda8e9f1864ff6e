import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { containersQuery } from "../api/queries.ts";
import { hostId, hostName, LOCAL_HOST, type Host } from "./host-id.ts";

/** Every host that something is known of; the local one always. */
export function useHosts(): Host[] {
  const { data } = useQuery(containersQuery());
  return useMemo(() => {
    const ids = new Set([LOCAL_HOST.id]);
    for (const group of data?.groups ?? []) for (const container of group.containers) ids.add(hostId(container));
    return [...ids].map((id) => ({ id, name: hostName(id) }));
  }, [data]);
}

/** The one host that the reader looks at; undefined: all. */
export function useChosenHost(): string | undefined {
  return useSearch({ strict: false }).agent_id;
}
