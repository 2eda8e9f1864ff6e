import { ChevronRight } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { formatLocal, formatExact } from "../../../format/time.ts";
import { HealthOutput } from "../../../entities/containers/health-output.tsx";
import { LogBlock } from "../../../logs/log-block.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import type { Change } from "./change.ts";
import type { HistoryEntry } from "./history.ts";

/** One entry of the history; what belongs to it opens below it. */
export function EntryRow({ entry }: { entry: HistoryEntry }) {
  if (!("changes" in entry)) return <ChangeRow change={entry} />;
  return (
    <Row status={entry.status} at={entry.at} what={entry.what} detail={entry.causes} opener="each time">
      <ul className="ml-[5px] border-l border-line pl-4">
        {entry.changes.map((change) => (
          <ChangeRow key={change.transition.id} change={change} />
        ))}
      </ul>
    </Row>
  );
}

function ChangeRow({ change }: { change: Change }) {
  const { transition, status, what, before } = change;
  const detail = [before, transition.replayed ? "reported later by the agent" : null].filter((part) => part !== null).join(", ");
  const row = { status, at: transition.timestamp, what, detail };
  if (transition.health_failure !== null)
    return (
      <Row {...row} opener="health check output">
        <HealthOutput failure={transition.health_failure} />
      </Row>
    );
  return (
    <Row {...row} opener="last log lines">
      {transition.log_snippet === null || transition.log_snippet.trim() === "" ? undefined : (
        <LogBlock lines={transition.log_snippet.replace(/\r?\n$/, "").split("\n")} label="Last log lines" />
      )}
    </Row>
  );
}

interface RowProperties {
  status: Change["status"];
  at: string;
  what: string;
  detail: string;
  /** What opens: `its last lines`. */
  opener: string;
  children?: ReactNode | undefined;
}

function Row({ status, at, what, detail, opener, children }: RowProperties) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="grid min-h-9 grid-cols-[16px_minmax(0,1fr)_auto] items-baseline gap-x-2 py-2 sm:grid-cols-[76px_16px_minmax(0,1fr)_auto]">
        <TimeOfDay at={at} />
        <StatusIcon status={status} size={10} className="translate-y-px" />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-[550]">{what}</span>
          {detail !== "" && <span className="text-ink-2">, {detail}</span>}
        </span>
        {children !== undefined && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${what}: ${isOpen ? "hide" : "show"} ${opener}`}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex items-center gap-1 rounded text-xs whitespace-nowrap text-ink-2 hover:text-ink max-sm:order-last max-sm:col-start-2 max-sm:justify-self-start max-sm:py-1"
          >
            <ChevronRight size={12} aria-hidden className={classNames("transition-transform", isOpen && "rotate-90")} />
            {opener}
          </button>
        )}
      </div>
      {children !== undefined && (
        <div id={id} hidden={!isOpen} className="pb-3 sm:pl-[100px]">
          {isOpen && children}
        </div>
      )}
    </li>
  );
}

/** The day stands above. */
function TimeOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExact(at)} className="text-xs text-ink-2 tabular-nums max-sm:order-last">
      {formatLocal(at, Date.parse(at))}
    </time>
  );
}
