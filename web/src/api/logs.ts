import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { LogSearchQuery } from "../../../src/monitoring/logs/api.ts";
import { request } from "./client.ts";
import { timeAgo } from "./server-clock.ts";

const PAGE = 200;

/** What narrows the lines; what is left out does not. */
export type LogLineFilter = {
  [Name in "q" | "level" | "fields" | "group" | "container_id" | "agent_id" | "since" | "until"]?: LogSearchQuery[Name];
} & {
  /** How far back, where no `since` is given. */
  lastMs?: number | undefined;
};

/** Lines of all logs, newest first, page by page. They are read from the engines, so they are read again only when asked for. */
export function logLinesQuery({ lastMs, ...filter }: LogLineFilter) {
  return infiniteQueryOptions({
    queryKey: ["logs", "lines", { lastMs, ...filter }],
    queryFn: ({ signal, pageParam: cursor }) => {
      const since = filter.since ?? (lastMs === undefined ? undefined : timeAgo(lastMs));
      return request("GET /api/v1/logs/search", { signal, query: { ...filter, since, cursor, limit: PAGE } });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

const PATTERNS = 200;

/** What the lines have in common. */
export function logPatternsQuery({ lastMs, ...filter }: LogLineFilter) {
  return queryOptions({
    queryKey: ["logs", "patterns", { lastMs, ...filter }],
    queryFn: ({ signal }) => {
      const since = filter.since ?? (lastMs === undefined ? undefined : timeAgo(lastMs));
      return request("GET /api/v1/logs/patterns", { signal, query: { ...filter, since, limit: PATTERNS } });
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

const BEFORE = 10;
const AFTER = 10;

/** The lines of one container around a moment, oldest first. */
export function logContextQuery({ container_id, timestamp }: { container_id: number; timestamp: string }) {
  return queryOptions({
    queryKey: ["logs", "context", container_id, timestamp],
    async queryFn({ signal }) {
      const behind = new Date(Date.parse(timestamp) + 1).toISOString();
      const read = (narrow: Partial<LogSearchQuery>) => request("GET /api/v1/logs/search", { signal, query: { container_id, ...narrow } });
      const [before, after] = await Promise.all([
        read({ until: behind, limit: BEFORE + 1 }),
        read({ since: behind, order: "oldest", limit: AFTER }),
      ]);
      return [...before.lines.toReversed(), ...after.lines];
    },
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
