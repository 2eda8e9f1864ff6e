import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { ServiceDetail, ServiceLogs } from "../../../../../src/monitoring/swarm/answers.ts";
import { swarmLogsQuery } from "../../../api/swarm.ts";
import { countOf } from "../../../format/number.ts";
import { AnsiText } from "../../../logs/ansi-text.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

const LINES = 200;
const LONGEST = 500;

/** The last lines of all tasks, in the order of time, each with its task; read again when somebody asks. */
export function ServiceLog({ service }: { service: ServiceDetail }) {
  const [search, setSearch] = useState("");
  const asked = useDeferredValue(search.trim());
  const { data, error, isFetching, refetch } = useQuery({
    ...swarmLogsQuery(service.id, { lines: LINES, search: asked === "" ? undefined : asked }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Recent logs"
      aside={
        <span className="flex items-center gap-2">
          <SearchField label="Search logs" placeholder="Search" value={search} onChange={setSearch} className="w-48" />
          <IconButton icon={RotateCw} label="Refresh" disabled={isFetching} onClick={() => void refetch()} />
        </span>
      }
    >
      {data !== undefined && <Lines logs={data} isSearched={asked !== ""} />}
      {data === undefined && error === null && <Skeleton className="mt-2 h-[216px] w-full" />}
      {data === undefined && error !== null && <ErrorNote what="Could not load the logs." error={error} onRetry={() => void refetch()} />}
    </Section>
  );
}

function Lines({ logs: { lines, unseen }, isSearched }: { logs: ServiceLogs; isSearched: boolean }) {
  return (
    <>
      {lines.length === 0 ? (
        <p className="mt-2 flex min-h-[216px] items-center justify-center rounded border border-line bg-sunken px-3 text-ink-2">
          {isSearched ? "No line matches." : "No lines."}
        </p>
      ) : (
        <ol
          tabIndex={0}
          aria-label="Lines"
          className="mt-2 max-h-[432px] min-h-[216px] overflow-auto rounded border border-line bg-sunken py-2 font-mono text-xs leading-5 [font-variant-ligatures:none]"
        >
          {lines.map((line, index) => (
            <li key={index} className="flex gap-3 px-3">
              {line.timestamp !== null && (
                <span className="shrink-0 text-ink-3 max-sm:hidden">
                  <Timestamp at={line.timestamp} precision="second" />
                </span>
              )}
              <span title={line.node_name ?? undefined} className="w-28 shrink-0 truncate text-ink-2">
                {line.task_name}
              </span>
              <span className="min-w-0 whitespace-pre [tab-size:4]">
                <AnsiText line={line.text} limit={LONGEST} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {unseen.length > 0 && (
        <p className="mt-2 text-sm text-ink-2">
          {countOf(unseen.length, "task")} not in it: {unseen[0]?.task_name} ({unseen[0]?.reason})
        </p>
      )}
    </>
  );
}
