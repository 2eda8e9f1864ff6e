import { momentParam } from "../../app/search-params.ts";

/** What the address of the page says: both moments. Without `until` up to now, without `since` from a day before. */
export interface ChangesFilter {
  since?: string | undefined;
  until?: string | undefined;
}

export function changesFilter(search: Record<string, unknown>): ChangesFilter {
  return { since: momentParam(search["since"]), until: momentParam(search["until"]) };
}
