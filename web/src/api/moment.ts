import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

const MOST_CONTAINERS = 10_000;

/** How everything was at a moment. The past stays as it is, so no event makes it old. */
export function momentQuery(at: string, host: string | undefined) {
  return queryOptions({
    queryKey: ["moment", at, host],
    queryFn: ({ signal }) => request("GET /api/v1/overview/moment", { signal, query: { at, agent_id: host, limit: MOST_CONTAINERS } }),
    placeholderData: keepPreviousData,
  });
}
