import type { QueryClient, QueryKey } from "@tanstack/react-query";

interface ListPage {
  next_cursor: string | null;
}

interface Reading<List> {
  client: QueryClient;
  queryKey: QueryKey;
  /** The first page, or that of a cursor. */
  read(cursor: string | undefined): Promise<List>;
  /** A list with the rows of its next page behind its own. */
  join(list: List, next: List): List;
  /** After which no further page is read; without it all are. */
  mostPages?: number;
}

/** A list of several pages as one. When nothing was known of it, what has been read is shown while the rest is still under way. */
export async function readWholeList<List extends ListPage>({
  client,
  queryKey,
  read,
  join,
  mostPages = Infinity,
}: Reading<List>): Promise<List> {
  const isFirst = client.getQueryData(queryKey) === undefined;
  let list = await read(undefined);
  for (let pages = 1; list.next_cursor !== null && pages < mostPages; pages += 1) {
    if (isFirst) client.setQueryData<List>(queryKey, list);
    list = join(list, await read(list.next_cursor));
  }
  return list;
}
