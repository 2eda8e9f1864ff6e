import type { ExecutionRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { formatDuration } from "../../../format/duration.ts";
import { classNames } from "../../../ui/class-names.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { runWords, summarizeRuns } from "./run-words.ts";

const COUNT = 30;

const COLOURS: Record<ExecutionRecord["outcome"], string> = {
  success: "bg-ok",
  failure: "bg-down",
  timeout: "bg-degraded",
  running: "bg-line-strong",
};

/** The last runs as bars as high as they were long, newest at the right; what went wrong has its shape below. `runs` come newest first. */
export function RunChart({ runs }: { runs: readonly ExecutionRecord[] }) {
  const shown = runs.slice(0, COUNT).toReversed();
  const longest = Math.max(1, ...shown.map(({ duration_ms: length }) => length ?? 0));
  const isTimed = shown.some(({ duration_ms: length }) => length !== null);
  return (
    <figure className="max-w-[30rem] pt-3">
      <div role="img" aria-label={summarizeRuns(shown)} className="flex h-[76px] gap-0.5 sm:gap-1">
        {Array.from({ length: COUNT - shown.length }, (_, index) => (
          <span key={`none-${index}`} className="flex flex-1 flex-col justify-end pb-3">
            <span className="h-0.5 bg-line" />
          </span>
        ))}
        {shown.map((run) => {
          const { status, word } = runWords(run);
          const share = isTimed ? (run.duration_ms ?? 0) / longest : 1;
          return (
            <span
              key={run.id}
              title={`${word}${run.duration_ms === null ? "" : `, ${formatDuration(run.duration_ms)}`}`}
              className="flex min-w-0 flex-1 flex-col items-stretch justify-end"
            >
              <span
                className={classNames("block rounded-[2px]", COLOURS[run.outcome])}
                style={{ height: `${Math.max(4, share * 62)}px` }}
              />
              <span className="flex h-3 shrink-0 items-end justify-center">
                {status !== "ok" && <StatusIcon status={status} size={8} />}
              </span>
            </span>
          );
        })}
      </div>
      <figcaption className="mt-1 flex justify-between text-xs text-ink-3 tabular-nums">
        <span>The last {COUNT} runs</span>
        <span>{isTimed ? `Longest ${formatDuration(longest)}` : "Run times appear once the job reports its start"}</span>
      </figcaption>
    </figure>
  );
}
