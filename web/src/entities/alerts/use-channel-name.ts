import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { channelsQuery } from "../../api/alert-queries.ts";

/** How channels are called; one that is gone by its number. */
export function useChannelName(): (id: number) => string {
  const { data } = useQuery(channelsQuery);
  return useMemo(() => {
    const names = new Map(data?.channels.map(({ id, name }) => [id, name]));
    return (id: number) => names.get(id) ?? `Channel ${id}`;
  }, [data]);
}
