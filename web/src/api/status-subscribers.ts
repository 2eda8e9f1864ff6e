import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { SubscriberRecord } from "../../../src/publishing/status/subscribers/answers.ts";
import { request } from "./client.ts";

/** How many are read at a time. */
const PAGE = 50;

interface SubscriberFilter {
  /** Part of the address. */
  q: string | undefined;
  status: SubscriberRecord["status"] | undefined;
}

/** Who gets mails of the status page, page by page. */
export function subscribersQuery({ q, status }: SubscriberFilter) {
  return infiniteQueryOptions({
    queryKey: ["status", "subscribers", { q, status }],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/status/subscribers", { signal, query: { q, status, limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    // No event reports each mail.
    staleTime: 10_000,
  });
}

/** How many subscribers there are, and whether mails can be sent at all. */
export const subscriberCountsQuery = queryOptions({
  queryKey: ["status", "subscribers", "counts"],
  queryFn: ({ signal }) => request("GET /api/v1/status/subscribers", { signal, query: { limit: 1 } }),
});

export function deleteSubscriber(id: number): Promise<void> {
  return request("DELETE /api/v1/status/subscribers/{id}", { params: { id } });
}
