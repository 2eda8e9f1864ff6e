import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { memo, useState } from "react";
import type { LogField } from "../../../../src/contract/log-fields.ts";
import type { FoundLine } from "../../../../src/monitoring/logs/answers.ts";
import { logContextQuery } from "../../api/logs.ts";
import { HostName } from "../../app/host-name.tsx";
import { formatExact } from "../../format/time.ts";
import { AnsiText } from "../../logs/ansi-text.tsx";
import type { Finder } from "../../logs/find.ts";
import { formatLineTime } from "../../logs/line-time.ts";
import { classNames } from "../../ui/class-names.ts";
import { Cells } from "./cells.tsx";
import { FieldList } from "./field-list.tsx";

interface Properties {
  line: FoundLine;
  fields: readonly LogField[] | null;
  /** The fields that are columns, and how wide. */
  columns: readonly string[];
  widths: string;
  onColumn: (name: string) => void;
  onCondition: (condition: string) => void;
  finder: Finder | null;
  query: string | undefined;
  withHost: boolean;
  nowMs: number;
}

const EDGES = { error: "border-down", warn: "border-degraded", info: "border-transparent", debug: "border-transparent" } as const;

/** A line of some log: when, whose, what. It opens to the lines around it, and leads to its container's log at that time. */
export const FoundRow = memo(function FoundRow({
  line,
  fields,
  columns,
  widths,
  onColumn,
  onCondition,
  finder,
  query,
  withHost,
  nowMs,
}: Properties) {
  const [isOpen, setOpen] = useState(false);
  const { timestamp } = line;
  const inColumns = fields !== null && fields.some(({ name }) => columns.includes(name)) ? fields : null;
  return (
    <li className="border-b border-line last:border-b-0 [contain-intrinsic-size:auto_28px] [content-visibility:auto]">
      <div
        className={classNames(
          "flex items-baseline gap-x-3 border-l-2 py-0.5 pr-3 pl-1 hover:bg-hover max-sm:flex-wrap max-sm:items-center",
          line.level === null ? "border-transparent" : EDGES[line.level],
        )}
      >
        <span className="flex shrink-0 items-baseline gap-1">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label="Details and lines around it"
            title="Details and lines around it"
            disabled={timestamp === null && fields === null}
            onClick={() => setOpen(!isOpen)}
            className="flex size-5 items-center justify-center self-center rounded text-ink-3 hover:bg-sunken hover:text-ink disabled:invisible pointer-coarse:w-10 sm:pointer-coarse:h-10 max-sm:pointer-coarse:relative max-sm:pointer-coarse:after:absolute max-sm:pointer-coarse:after:inset-x-0 max-sm:pointer-coarse:after:-top-0.5 max-sm:pointer-coarse:after:h-11"
          >
            <ChevronRight size={14} aria-hidden className={classNames("transition-transform", isOpen && "rotate-90")} />
          </button>
          <LineTime timestamp={timestamp} nowMs={nowMs} />
        </span>
        <span className="flex w-44 shrink-0 items-baseline gap-2 max-sm:w-auto max-sm:min-w-0 max-sm:flex-1">
          <Link
            to="/containers/$id"
            params={{ id: line.container_id }}
            search={{ tab: "logs", find: query, log_at: timestamp ?? undefined }}
            title={`Open the log of ${line.container_name} at this time`}
            className="min-w-0 truncate text-xs font-[550] hover:underline max-md:relative max-md:overflow-x-clip! max-md:overflow-y-visible! max-md:after:absolute max-md:after:inset-x-0 max-md:after:-top-1 max-md:after:h-10"
          >
            <bdi>{line.container_name}</bdi>
          </Link>
          {withHost && <HostName of={line} />}
        </span>
        <span className="min-w-0 flex-1 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap [font-variant-ligatures:none] [tab-size:4] max-sm:basis-full max-sm:pl-6 max-sm:pointer-coarse:pl-11">
          {inColumns === null ? (
            <AnsiText line={line.text} finder={finder} />
          ) : (
            <Cells fields={inColumns} columns={columns} widths={widths} finder={finder} />
          )}
        </span>
      </div>
      {isOpen && fields !== null && (
        <div className="mb-2 ml-7 rounded bg-sunken py-1.5">
          {inColumns !== null && (
            <p className="px-3 pb-1.5 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
              <AnsiText line={line.text} finder={finder} />
            </p>
          )}
          <FieldList {...{ fields, columns, onColumn, onCondition }} />
        </div>
      )}
      {isOpen && timestamp !== null && <Context line={{ ...line, timestamp }} finder={finder} nowMs={nowMs} />}
    </li>
  );
});

function LineTime({ timestamp, nowMs }: { timestamp: string | null; nowMs: number }) {
  const width = "inline-block min-w-[14ch] font-mono text-xs whitespace-nowrap text-ink-2";
  if (timestamp === null) return <span className={width} />;
  return (
    <time dateTime={timestamp} title={formatExact(timestamp)} className={width}>
      {formatLineTime(new Date(timestamp), nowMs, "millisecond")}
    </time>
  );
}

/** What its container wrote before and after. */
function Context({ line, finder, nowMs }: { line: FoundLine & { timestamp: string }; finder: Finder | null; nowMs: number }) {
  const { data, error } = useQuery(logContextQuery(line));
  const isHit = (each: FoundLine): boolean => each.timestamp === line.timestamp && each.text === line.text && each.stream === line.stream;
  return (
    <div aria-label={`Lines around it in ${line.container_name}`} role="group" className="mb-2 ml-7 rounded bg-sunken py-1.5">
      {data === undefined && <p className="px-3 text-xs text-ink-2">{error === null ? "Loading lines" : error.message}</p>}
      {data?.map((each, index) => (
        <div
          key={index}
          className={classNames(
            "flex items-baseline gap-3 px-3 font-mono text-xs leading-5",
            isHit(each) && "shadow-[inset_2px_0_0_0_var(--accent)]",
          )}
        >
          <LineTime timestamp={each.timestamp} nowMs={nowMs} />
          <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap [tab-size:4]">
            <AnsiText line={each.text} finder={finder} />
          </span>
        </div>
      ))}
    </div>
  );
}
