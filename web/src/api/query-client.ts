import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from "@tanstack/react-query";

/** Reads more of a list to its end also when an event makes that list old meanwhile: it is read again after that. */
export class PatientQueryClient extends QueryClient {
  override invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters).filter(readsMore)) {
      const again = (): void => void this.invalidateQueries({ queryKey: query.queryKey, exact: true });
      void query.promise?.then(again, again);
    }
    const isFree = (query: Query): boolean => !readsMore(query) && (filters.predicate?.(query) ?? true);
    return super.invalidateQueries({ ...filters, predicate: isFree }, options);
  }
}

function readsMore({ state: { fetchStatus, fetchMeta } }: Query): boolean {
  return fetchStatus === "fetching" && fetchMeta?.fetchMore !== undefined;
}
