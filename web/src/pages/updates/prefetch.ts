import type { QueryClient } from "@tanstack/react-query";
import { updatesQuery, updateSummaryQuery } from "../../api/updates.ts";
import { askedOf, pagesOf, type PageSearch } from "./filter.ts";

/** Sets the reading of the page off. It comes with the page's code, so that the app begins without it. */
export function prefetchUpdates(queryClient: QueryClient, filter: PageSearch, host: string | undefined): void {
  void queryClient.prefetchQuery(updateSummaryQuery(host));
  void queryClient.prefetchInfiniteQuery(updatesQuery(askedOf(filter, host), pagesOf(filter)));
}
