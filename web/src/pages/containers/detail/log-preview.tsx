import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { isApiError } from "../../../api/client.ts";
import { logsQuery } from "../../../api/queries.ts";
import { AnsiText } from "../../../logs/ansi-text.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

const LINES = 10;
/** Each line is shown on one row, so the rest of a long one would not be seen. */
const LONGEST = 500;

/** The end of its log as it was when the page opened or the container's state changed; the log itself is live on its own tab. */
export function LogPreview({ container }: { container: ContainerRecord }) {
  const isGone = container.archived_at !== null;
  const query = logsQuery(container.id, { lines: LINES });
  const { data, error, refetch } = useQuery({
    ...query,
    queryKey: [...query.queryKey, container.last_state_change_at],
    placeholderData: keepPreviousData,
  });

  if (isGone && isApiError(error, "not_found"))
    return <p className="py-2 text-ink-2">Logs were removed with the container. The last lines before each exit are in its history.</p>;
  if (data !== undefined && data.lines.length > 0) {
    return (
      <ol className="mt-2 min-h-[216px] overflow-hidden rounded border border-line bg-sunken py-2 font-mono text-xs leading-5 [font-variant-ligatures:none]">
        {data.lines.map((line, index) => (
          <li key={index} className="flex gap-3 px-3">
            {line.timestamp !== null && (
              <span className="text-ink-3 max-sm:hidden">
                <Timestamp at={line.timestamp} />
              </span>
            )}
            <span className="min-w-0 overflow-hidden text-ellipsis whitespace-pre [tab-size:4]">
              <AnsiText line={line.text} limit={LONGEST} />
            </span>
          </li>
        ))}
      </ol>
    );
  }
  // As high as a log, so that nothing below moves.
  if (data !== undefined) {
    return (
      <p className="mt-2 flex min-h-[216px] items-center justify-center rounded border border-line bg-sunken px-3 text-ink-2">
        No log output yet.
      </p>
    );
  }
  if (error !== null) return <ErrorNote what="Could not load the log." error={error} onRetry={() => void refetch()} />;
  return <Skeleton className="mt-2 h-[216px] w-full" />;
}
