import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { ServiceDetail } from "../../../../../src/monitoring/swarm/answers.ts";
import { countOf } from "../../../format/number.ts";
import type { LogFilter } from "../../../logs/log-model.ts";
import { LogView } from "../../../logs/log-view.tsx";
import { createTaskOverlap } from "../../../logs/overlap.ts";
import { useLog } from "../../../logs/use-log.ts";
import { useSettled } from "../../../logs/use-settled.ts";
import type { Marker } from "../../../logs/weave.ts";

const route = getRouteApi("/swarm/services/$id");

const NO_MARKERS: readonly Marker[] = [];

/** The log of all tasks of a service, live, each line with its task. */
export function LogsTab({ service }: { service: ServiceDetail }) {
  const { find = "", level = "any", stream = "any" } = route.useSearch();
  const navigate = route.useNavigate();
  const log = useLog({
    route: "GET /api/v1/swarm/services/{id}/logs",
    id: service.id,
    overlap: createTaskOverlap,
    markers: NO_MARKERS,
    runKey: null,
  });
  const filter = useMemo((): LogFilter => ({ level, stream }), [level, stream]);

  const onFilter = useCallback(
    (next: LogFilter) =>
      void navigate({
        search: (search) => ({
          ...search,
          level: next.level === "any" ? undefined : next.level,
          stream: next.stream === "any" ? undefined : next.stream,
        }),
        replace: true,
      }),
    [navigate],
  );
  const onQuery = useSettled(
    useCallback(
      (query: string) => void navigate({ search: (search) => ({ ...search, find: query === "" ? undefined : query }), replace: true }),
      [navigate],
    ),
    find,
  );

  const [first] = log.unseen;
  return (
    <>
      {first !== undefined && (
        <p className="mt-3 text-sm text-ink-2">
          {countOf(log.unseen.length, "task")} not in it: {first.task_name} ({first.reason})
        </p>
      )}
      <LogView
        name={service.name}
        log={log}
        filter={filter}
        onFilter={onFilter}
        query={find}
        onQuery={onQuery}
        end="The service was removed. These are its last log lines."
      />
    </>
  );
}
