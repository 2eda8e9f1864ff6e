import { getRouteApi } from "@tanstack/react-router";
import type { SortKey } from "../../../../src/monitoring/containers/api.ts";
import { listSort, type ListSort } from "../../lists/sort.ts";
import { FIRST_ORDER } from "./order.ts";

const route = getRouteApi("/containers");

/** The order of the list; without one it is in its groups. */
export function useListSort(): ListSort<SortKey> {
  const navigate = route.useNavigate();
  const set = (next: { sort: SortKey | undefined; order: "asc" | "desc" | undefined }): void =>
    void navigate({ search: (search) => ({ ...search, ...next }), resetScroll: false });
  return listSort(route.useSearch(), FIRST_ORDER, set);
}
