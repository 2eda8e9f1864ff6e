import { useNavigate, useSearch } from "@tanstack/react-router";
import { isNarrowed, type KubernetesFilter } from "./filter.ts";

/** The lists of Kubernetes. */
export type ListPath = "/kubernetes" | `/kubernetes/${"pods" | "nodes" | "events" | "network" | "storage"}`;

export interface ListFilter {
  path: ListPath;
  filter: KubernetesFilter;
  narrowed: boolean;
  /** Changes what the address says. Typing replaces the address, choosing adds to the way back. */
  narrow(change: KubernetesFilter, replace?: boolean): void;
}

/** What the address says of a list, and how to change it. */
export function useListFilter(path: ListPath): ListFilter {
  const { q, cluster, namespace, kind, state, node } = useSearch({ from: path });
  const navigate = useNavigate();
  const filter: KubernetesFilter = { q, cluster, namespace, kind, state, node };
  return {
    path,
    filter,
    narrowed: isNarrowed(filter),
    narrow: (change, replace = false) => void navigate({ to: path, search: { ...filter, ...change }, replace, resetScroll: false }),
  };
}
