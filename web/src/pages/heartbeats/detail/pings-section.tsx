import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { HeartbeatRecord, PingRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { pingsQuery } from "../../../api/heartbeat-queries.ts";
import { countOf } from "../../../format/number.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { MoreRows } from "../../../ui/more-rows.tsx";
import { pingWords } from "./run-words.ts";

const FIRST_ROWS = 10;
const COLUMNS =
  "grid min-h-9 max-md:min-h-10 items-center gap-x-3 grid-cols-[16px_minmax(0,1fr)_minmax(0,1fr)] py-1.5 md:grid-cols-[16px_140px_140px_minmax(0,1fr)_minmax(0,1.6fr)]";

/** Its pings as they came, with what they brought. */
export function PingsSection({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const query = useInfiniteQuery(pingsQuery(heartbeat.id));
  const [showsAll, setShowsAll] = useState(false);
  const pings = useMemo(() => query.data?.pages.flatMap((page) => page.pings) ?? [], [query.data]);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const shown = showsAll ? pings : pings.slice(0, FIRST_ROWS);
  return (
    <Section title="Pings" aside={total > 0 && `${countOf(total, "ping")} in the last ${KEPT_DAYS.heartbeatPings} days`}>
      {query.data === undefined && query.error === null && <SkeletonRows count={5} label="Loading pings" />}
      {query.error !== null && (
        <ErrorNote what="Could not load pings." error={query.error} onRetry={() => void query.refetch()}>
          Pings are still accepted.
        </ErrorNote>
      )}
      {query.data !== undefined && total === 0 && <p className="py-3 text-ink-2">None yet.</p>}
      <ul aria-label="Pings">
        {shown.map((ping) => (
          <PingRow key={ping.id} ping={ping} />
        ))}
      </ul>
      <MoreRows
        what="ping"
        hidden={query.data === undefined ? 0 : total - shown.length}
        isReading={query.isFetchingNextPage}
        onMore={() => {
          if (showsAll) void query.fetchNextPage();
          setShowsAll(true);
        }}
      />
    </Section>
  );
}

/** One ping; with its body, or what else it reported, below when it is opened. */
function PingRow({ ping }: { ping: PingRecord }) {
  const { status, word } = pingWords(ping);
  return (
    <li className="border-t border-line first:border-t-0">
      <details className="group">
        <summary className={`${COLUMNS} cursor-pointer list-none hover:bg-hover [&::-webkit-details-marker]:hidden`}>
          <ChevronRight size={14} aria-hidden className="text-ink-3 group-open:rotate-90" />
          <Timestamp at={ping.timestamp} />
          <span className="inline-flex items-center gap-2">
            <StatusIcon status={status} />
            {word}
          </span>
          <span className="truncate text-ink-2 tabular-nums max-md:hidden">{ping.source_ip}</span>
          <span className="truncate font-mono text-xs text-ink-2 max-md:hidden">{firstLine(ping.body)}</span>
        </summary>
        <div className="pb-3 pl-7">
          <p className="text-xs wrap-anywhere text-ink-2">
            {ping.method} from {ping.source_ip}
            {ping.user_agent !== null && (
              <>
                , by <bdi>{ping.user_agent}</bdi>
              </>
            )}
            {ping.rid !== null && <>, run {ping.rid}</>}
          </p>
          {ping.body !== null && ping.body !== "" && (
            <pre
              tabIndex={0}
              className="mt-2 max-h-72 overflow-auto rounded border border-line bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
            >
              {ping.body}
            </pre>
          )}
        </div>
      </details>
    </li>
  );
}

function firstLine(body: string | null): string {
  return body?.trimStart().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
