import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { hostsQuery } from "../../api/queries.ts";
import { useNow } from "../../ui/ticker.tsx";

/** A host that is silent for longer is unavailable; a second more, for the way here. */
const SILENT_AFTER_MS = 36_000;

/** The hosts and what they use. One that falls silent sends no event that says so: then the server is asked. */
export function useHostRecords() {
  const query = useQuery(hostsQuery);
  const { data, refetch } = query;
  const silent = useNow(
    (nowMs) =>
      data?.hosts.filter(({ available, timestamp }) => available && timestamp !== null && nowMs - Date.parse(timestamp) > SILENT_AFTER_MS)
        .length ?? 0,
  );
  useEffect(() => {
    if (silent > 0) void refetch();
  }, [silent, refetch]);
  return query;
}
