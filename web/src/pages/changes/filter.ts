import { CHANGE_KINDS, type ChangeKind } from "../../../../src/contract/change-kinds.ts";
import { momentParam, someOf } from "../../app/search-params.ts";

/** What the address of the page says: both moments, and which kinds of change. Without `until` up to now, without `since` from a day before. */
export interface ChangesFilter {
  since?: string | undefined;
  until?: string | undefined;
  kind?: ChangeKind[] | undefined;
}

export function changesFilter(search: Record<string, unknown>): ChangesFilter {
  return { since: momentParam(search["since"]), until: momentParam(search["until"]), kind: someOf(search["kind"], CHANGE_KINDS) };
}
