import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { request } from "../../api/client.ts";
import type { ChangesFilter } from "./filter.ts";

const PAGE = 100;

interface Next {
  cursor: string | undefined;
  /** Where the first page ended: pages join only for the same moments. */
  to: string | undefined;
}

/** What changed between two moments, newest first. As long as it goes up to now, it is read again as alerts change. */
export function changesQuery({ since, until }: ChangesFilter, host: string | undefined) {
  const first: Next = { cursor: undefined, to: until };
  return infiniteQueryOptions({
    queryKey: [...(until === undefined ? ["alerts"] : []), "changes", since, until, host],
    queryFn: ({ signal, pageParam: { cursor, to } }) =>
      request("GET /api/v1/overview/changes", { signal, query: { from: since, to, agent_id: host, limit: PAGE, cursor } }),
    initialPageParam: first,
    getNextPageParam: ({ next_cursor: cursor, to }): Next | undefined => (cursor === null ? undefined : { cursor, to }),
    placeholderData: keepPreviousData,
  });
}
