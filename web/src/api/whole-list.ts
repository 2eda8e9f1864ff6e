import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

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

/** Marks the queries that read a whole list: see {@link isWholeList}. */
export const WHOLE_LIST = { isWhole: true };

export function isWholeList({ meta }: Pick<Query, "meta">): boolean {
  return meta?.["isWhole"] === true;
}

/** Whether a list has pages that are not read, or not yet. */
export function hasMore(list: ListPage | undefined): boolean {
  return list !== undefined && list.next_cursor !== null;
}

/** How many rows a list has, also while some of its pages are not loaded. */
export function countOfAll(list: (ListPage & { total: number }) | undefined, loaded: number): number {
  return list !== undefined && hasMore(list) ? list.total : loaded;
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
  // An answer that was kept from an older server has no cursor.
  for (let pages = 1; typeof list.next_cursor === "string" && pages < mostPages; pages += 1) {
    if (isFirst) client.setQueryData<List>(queryKey, list);
    list = join(list, await read(list.next_cursor));
  }
  return list;
}
