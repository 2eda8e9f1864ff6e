import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from "@tanstack/react-query";
import { isWholeList } from "./whole-list.ts";

/** Reads several pages of a list to their end also when an event makes that list old meanwhile: it is read again once after that. */
export class PatientQueryClient extends QueryClient {
  /** The next reading of each list that was made old while it was read. */
  readonly #next = new WeakMap<Query, Promise<void>>();

  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    const next = this.getQueryCache()
      .findAll(filters)
      .filter(readsPages)
      .map((query) => this.#readAgain(query));
    const isFree = (query: Query): boolean => !readsPages(query) && (filters.predicate?.(query) ?? true);
    await Promise.all([super.invalidateQueries({ ...filters, predicate: isFree }, options), ...next]);
  }

  #readAgain(query: Query): Promise<void> {
    const begin = (): Promise<void> => {
      this.#next.delete(query);
      return this.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    const next = this.#next.get(query) ?? Promise.resolve(query.promise).then(begin, begin);
    this.#next.set(query, next);
    return next;
  }
}

function readsPages(query: Query): boolean {
  const { fetchStatus, fetchMeta } = query.state;
  return fetchStatus === "fetching" && (isWholeList(query) || fetchMeta?.fetchMore !== undefined);
}
