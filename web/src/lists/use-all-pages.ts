import { useEffect } from "react";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Reads page after page of a list while `isEnabled`: groups need all rows. It ends with a page that cannot be read. */
export function useAllPages({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Pages, isEnabled: boolean): void {
  const isDue = isEnabled && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}
