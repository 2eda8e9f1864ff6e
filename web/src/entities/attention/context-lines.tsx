import type { AlertContext, Preceding } from "../../../../src/publishing/overview/attention/api.ts";
import { formatDuration } from "../../format/duration.ts";
import { Timestamp } from "../../ui/timestamp.tsx";
import { precedingWords } from "./context-words.ts";

/** The last line that a container wrote, and what changed just before its alert. */
export function ContextLines({ context: { log_line: line, preceding }, firedAt }: { context: AlertContext; firedAt: string }) {
  return (
    <>
      {preceding.map((change) => (
        <PrecedingLine key={`${change.kind} ${change.at}`} change={change} firedAt={firedAt} />
      ))}
      {line !== null && (
        <p className="mt-1 flex min-w-0 items-baseline gap-2 text-xs text-ink-2">
          <span className="sr-only">Last log line:</span>
          <code dir="auto" title={line.text} className="min-w-0 truncate rounded-[4px] bg-sunken px-1.5 py-0.5 font-mono">
            {line.text}
          </code>
          <span className="shrink-0 text-ink-3 max-sm:hidden">
            <Timestamp at={line.at} />
          </span>
        </p>
      )}
    </>
  );
}

function PrecedingLine({ change, firedAt }: { change: Preceding; firedAt: string }) {
  const beforeMs = Date.parse(firedAt) - Date.parse(change.at);
  return (
    <p dir="auto" className="wrap-anywhere text-ink-2">
      {precedingWords(change)} <span className="text-ink-3">{beforeMs < 1000 ? "just before" : `${formatDuration(beforeMs)} before`}</span>
    </p>
  );
}
