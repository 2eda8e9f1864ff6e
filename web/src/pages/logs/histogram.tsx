import { useState, type KeyboardEvent } from "react";
import type { LogSearchResult } from "../../../../src/monitoring/logs/answers.ts";
import { countOf } from "../../format/number.ts";
import { formatLocal } from "../../format/time.ts";
import { classNames } from "../../ui/class-names.ts";
import { useNow } from "../../ui/ticker.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { type Bar, barsOf, COUNTED, spanOf } from "./bars.ts";

interface Properties {
  histogram: LogSearchResult["histogram"];
  /** Whether all that was asked for was searched: before the first bar there is nothing. */
  isComplete: boolean;
  onSpan: (span: { since: string; until: string }) => void;
}

const WIDEST_BAR_PX = 32;
const FILLS = { error: "bg-down", warn: "bg-degraded", info: "bg-ink-3", debug: "bg-line-strong", none: "bg-line-strong" } as const;
const WORDS = { error: "error", warn: "warning", info: "info", debug: "debug", none: "other" } as const;

/** How many lines of each level were written when. Dragging over it, or a bar of it, chooses a span of time. */
export function LogHistogram({ histogram, isComplete, onSpan }: Properties) {
  const bars = barsOf(histogram);
  const nowMs = useNow((now) => new Date(now).setHours(12, 0, 0, 0));
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const [current, setCurrent] = useState(0);
  const first = bars[0];
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  const highest = Math.max(...bars.map(({ total }) => total));
  const time = (ms: number): string => formatLocal(new Date(ms).toISOString(), nowMs);

  function choose(from: number, to: number): void {
    setDrag(null);
    const [one, other] = [bars[from], bars[to]];
    if (one !== undefined && other !== undefined) onSpan(spanOf(one, other));
  }

  function handleKey(event: KeyboardEvent<HTMLButtonElement>): void {
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: bars.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = Math.min(Math.max(next, 0), bars.length - 1);
    setCurrent(to);
    event.currentTarget.parentElement?.querySelectorAll("button")[to]?.focus();
  }

  const isIn = (index: number): boolean => drag !== null && index >= Math.min(drag.from, drag.to) && index <= Math.max(drag.from, drag.to);
  return (
    <div className="py-3" style={{ maxWidth: `${Math.max(bars.length, 8) * WIDEST_BAR_PX}px` }}>
      <div
        role="group"
        aria-label="Lines over time. Drag, or choose a bar, to narrow the time."
        onPointerLeave={() => setDrag(null)}
        className="flex h-16 touch-pan-y items-stretch border-b border-line select-none"
      >
        {bars.map((bar, index) => (
          <button
            key={bar.fromMs}
            type="button"
            tabIndex={index === Math.min(current, bars.length - 1) ? 0 : -1}
            aria-label={`${time(bar.fromMs)}: ${barWords(bar)}`}
            title={`${time(bar.fromMs)} – ${time(bar.untilMs)}\n${barWords(bar)}`}
            onKeyDown={handleKey}
            onFocus={() => setCurrent(index)}
            onPointerDown={() => setDrag({ from: index, to: index })}
            onPointerEnter={() => setDrag((now) => now && { ...now, to: index })}
            onPointerUp={() => drag !== null && choose(drag.from, index)}
            onClick={(event) => event.detail === 0 && choose(index, index)}
            className={classNames("flex min-w-0 flex-1 flex-col justify-end px-px hover:bg-hover", isIn(index) && "bg-hover")}
          >
            {COUNTED.map((level) => {
              const count = bar.counts[level];
              if (count === 0) return null;
              return (
                <span
                  key={level}
                  aria-hidden
                  className={classNames("min-h-[2px] w-full", FILLS[level])}
                  style={{ height: `${(count / highest) * 100}%` }}
                />
              );
            })}
          </button>
        ))}
      </div>
      <div className="flex justify-between gap-4 pt-1 text-xs text-ink-2 tabular-nums">
        <span>
          {isComplete && histogram.counted_to === null && "First lines "}
          {time(first.fromMs)}
        </span>
        {bars.length > 1 && <span>{time(last.untilMs)}</span>}
      </div>
      {histogram.counted_to !== null && (
        <p className="pt-1 text-xs text-ink-2">
          Counted back to <Timestamp at={histogram.counted_to} />. Choose a shorter time or another text to count all lines.
        </p>
      )}
    </div>
  );
}

/** `12 lines: 3 error, 9 other` */
function barWords({ counts, total }: Bar): string {
  const parts = COUNTED.filter((level) => counts[level] > 0).map((level) => `${counts[level]} ${WORDS[level]}`);
  return total === 0 ? "no lines" : `${countOf(total, "line")}: ${parts.join(", ")}`;
}
