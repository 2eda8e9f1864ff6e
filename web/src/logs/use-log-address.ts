import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { LogFilter } from "./log-model.ts";
import type { LogSearch } from "./search.ts";
import { useSettled } from "./use-settled.ts";

interface LogAddress {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  query: string;
  onQuery: (query: string) => void;
}

/** What the address of a page says of the log on it; what changes replaces it. */
export function useLogAddress(path: "/containers/$id" | "/swarm/services/$id"): LogAddress {
  const { find = "", level = "any", stream = "any" } = useSearch({ from: path });
  const navigate = useNavigate();
  const filter = useMemo((): LogFilter => ({ level, stream }), [level, stream]);
  const change = useCallback(
    (next: LogSearch) => void navigate({ to: ".", search: (search) => ({ ...search, ...next }), replace: true }),
    [navigate],
  );
  const onFilter = useCallback(
    (next: LogFilter) =>
      change({ level: next.level === "any" ? undefined : next.level, stream: next.stream === "any" ? undefined : next.stream }),
    [change],
  );
  const onQuery = useSettled(
    useCallback((query: string) => change({ find: query === "" ? undefined : query }), [change]),
    find,
  );
  return { filter, onFilter, query: find, onQuery };
}
