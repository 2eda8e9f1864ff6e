import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { SubscriberList, SubscriberRecord } from "../../../src/publishing/status/subscribers/api.ts";
import { deleteJson, getJson } from "./client.ts";

const SUBSCRIBERS = "/api/v1/status/subscribers";
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
      getJson<SubscriberList>(SUBSCRIBERS, { signal, parameters: { q, status, limit: PAGE, offset } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    // No event tells of each mail.
    staleTime: 10_000,
  });
}

/** How many subscribers there are, and whether mails can be sent at all. */
export const subscriberCountsQuery = queryOptions({
  queryKey: ["status", "subscribers", "counts"],
  queryFn: ({ signal }) => getJson<SubscriberList>(SUBSCRIBERS, { signal, parameters: { limit: 1 } }),
});

export function deleteSubscriber(id: number): Promise<void> {
  return deleteJson(`${SUBSCRIBERS}/${id}`);
}
