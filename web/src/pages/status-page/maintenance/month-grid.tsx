import { useState, type KeyboardEvent } from "react";
import type { MaintenanceRecord } from "../../../../../src/alerting/suppression/answers.ts";
import { classNames } from "../../../ui/class-names.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { WINDOW_WORDS } from "../../../entities/silences/silence-words.ts";
import { layWeek, monthOf, weeksOf, type Month, type Segment, type Span } from "../calendar.ts";

interface WindowSpan extends Span {
  window: MaintenanceRecord;
}

interface Properties {
  month: Month;
  windows: readonly MaintenanceRecord[];
  nowMs: number;
  onDay: (day: Date) => void;
  onWindow: (id: number) => void;
}

const DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** So many windows are shown in one day; the list below has all. */
const LANES = 3;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month with its windows across the days. A day plans a window, a window opens its form; arrow keys go from day to day. */
export function MonthGrid({ month, windows, nowMs, onDay, onWindow }: Properties) {
  const weeks = weeksOf(month);
  const days = weeks.flat();
  const today = new Date(nowMs).toDateString();
  const first = days.findIndex((day) => day.toDateString() === today && day.getMonth() === month.month);
  const [focused, setFocused] = useState<number | undefined>(undefined);
  const stop = Math.min(focused ?? (first < 0 ? days.findIndex((day) => day.getMonth() === month.month) : first), days.length - 1);
  const spans = windows.map((window): WindowSpan => ({
    id: window.id,
    startMs: Date.parse(window.starts_at),
    endMs: Date.parse(window.ends_at),
    window,
  }));

  function handleKey(event: KeyboardEvent<HTMLButtonElement>): void {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = stop + by;
    if (next < 0 || next >= days.length) return;
    setFocused(next);
    event.currentTarget.closest("table")?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  }

  return (
    <table className="mt-2 block w-full border-b border-line">
      <caption className="sr-only">Maintenance by day. Arrow keys go from day to day, Enter plans a window on one.</caption>
      <thead className="block">
        <tr className="grid grid-cols-7">
          {DAY_NAMES.map((name) => (
            <th key={name} scope="col" aria-label={name} className="py-1 pl-1.5 text-left text-xs font-medium text-ink-3">
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block">
        {weeks.map((week, weekIndex) => (
          <tr key={weekIndex} className="relative grid min-h-14 grid-cols-7 border-t border-line sm:min-h-24">
            {week.map((day, dayIndex) => {
              const index = weekIndex * 7 + dayIndex;
              const isToday = day.toDateString() === today;
              const isOther = monthOf(day).month !== month.month;
              const segments = layWeek(week, spans);
              const starting = segments.filter((segment) => segment.day === dayIndex && segment.lane < LANES);
              const hidden = segments.filter(
                ({ day: from, days: count, lane }) => lane >= LANES && from <= dayIndex && dayIndex < from + count,
              ).length;
              return (
                <td key={dayIndex} className={classNames("relative block border-l border-line first:border-l-0", isOther && "bg-sunken")}>
                  <button
                    type="button"
                    data-day={index}
                    tabIndex={index === stop ? 0 : -1}
                    aria-label={`Plan maintenance on ${dayName(day)}${isToday ? ", today" : ""}`}
                    aria-current={isToday ? "date" : undefined}
                    onClick={() => onDay(day)}
                    onFocus={() => setFocused(index)}
                    onKeyDown={handleKey}
                    className={classNames(
                      "absolute inset-0 flex items-start p-1 text-xs tabular-nums hover:bg-hover focus-visible:-outline-offset-2",
                      isOther ? "text-ink-3" : "text-ink-2",
                    )}
                  >
                    <span className={classNames("rounded px-1 leading-5", isToday && "bg-accent font-semibold text-on-accent")}>
                      {day.getDate()}
                    </span>
                  </button>
                  {starting.map((segment) => (
                    <Bar key={segment.span.id} segment={segment} onOpen={() => onWindow(segment.span.id)} />
                  ))}
                  {hidden > 0 && (
                    <span className="pointer-events-none absolute right-1 top-1 text-[11px] leading-5 text-ink-2 tabular-nums">
                      +{hidden}
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A window across the days of a week; on a phone a line without words, which the list below has. */
function Bar({ segment, onOpen }: { segment: Segment<WindowSpan>; onOpen: () => void }) {
  const { span, days, lane, continuesBefore, continuesAfter } = segment;
  const { window } = span;
  const { status, word } = WINDOW_WORDS[window.status];
  const isOver = window.status === "ended";
  const look = {
    title: `${window.title}, ${word.toLowerCase()}`,
    "aria-label": `${window.title}, ${word.toLowerCase()}, ${timeOf(window.starts_at)} to ${timeOf(window.ends_at)}`,
    style: { width: `calc(${days * 100}% - 6px)`, ["--lane" as string]: lane },
    className: classNames(
      "absolute left-[3px] z-10 flex h-2 max-sm:pointer-events-none items-center gap-1.5 overflow-hidden border px-1.5 text-left text-xs max-sm:top-[calc(26px+var(--lane)*9px)] sm:top-[calc(27px+var(--lane)*22px)] sm:h-5",
      isOver ? "border-line bg-sunken text-ink-2" : "border-maintenance/40 bg-maintenance-soft text-ink",
      !continuesBefore && "rounded-l-[4px]",
      !continuesAfter && "rounded-r-[4px]",
    ),
  };
  const words = (
    <>
      <StatusIcon status={status} size={10} className="max-sm:hidden" />
      <bdi className="truncate max-sm:hidden">{window.title}</bdi>
    </>
  );
  // What is over cannot be changed.
  return isOver ? (
    <span role="img" {...look}>
      {words}
    </span>
  ) : (
    <button type="button" onClick={onOpen} {...look}>
      {words}
    </button>
  );
}

function dayName(day: Date): string {
  return day.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long" });
}

function timeOf(at: string): string {
  return new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
