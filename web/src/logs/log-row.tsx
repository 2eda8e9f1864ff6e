import { memo } from "react";
import { formatCount } from "../format/number.ts";
import { formatExact } from "../format/time.ts";
import { classNames } from "../ui/class-names.ts";
import { copyText } from "../ui/copy-text.ts";
import { AnsiText } from "./ansi-text.tsx";
import type { Finder } from "./find.ts";
import { formatLineTime } from "./line-time.ts";
import { type LogEntry, type LogLine, type LogNote, SOURCE_WIDTH } from "./log-model.ts";

/** Longer lines are shown folded: a page full of them must still scroll. */
export const FOLD_AT = 2000;

/** How every row is drawn. */
export interface RowLook {
  wrap: boolean;
  /** Null where no times are shown. */
  times: "second" | "millisecond" | null;
  /** Some day, by which times of other days carry their date. */
  nowMs: number;
  /** Where the error stream is marked: in a separate column, within the line where room is short, or nowhere. */
  streams: "column" | "inline" | null;
  finder: Finder | null;
}

interface Properties {
  entry: LogEntry;
  look: RowLook;
  isSelected: boolean;
  isUnfolded: boolean;
  onUnfold: (id: number) => void;
}

export const LogRow = memo(function LogRow({ entry, look, ...rest }: Properties) {
  return "note" in entry ? <NoteRow entry={entry} look={look} /> : <LineRow line={entry} look={look} {...rest} />;
});

const EDGES = { error: "border-down", warn: "border-degraded", info: "border-transparent", debug: "border-transparent" } as const;

interface LineProperties extends Omit<Properties, "entry"> {
  line: LogLine;
}

function LineRow({ line, look, isSelected, isUnfolded, onUnfold }: LineProperties) {
  // What was found in it may stand in the folded part.
  const isOpen = isUnfolded || (isSelected && look.finder !== null);
  const isFolded = line.plain.length > FOLD_AT && !isOpen;
  return (
    <div
      className={classNames(
        "group flex border-l-2 pr-3 pl-2.5",
        line.level === null ? "border-transparent" : EDGES[line.level],
        // The colours are readable on this ground only, so that a line is framed, not tinted.
        isSelected ? "shadow-[inset_0_0_0_1px_var(--accent)]" : "hover:shadow-[inset_0_0_0_1px_var(--line)]",
      )}
    >
      <RowTime time={line.time} look={look} />
      {line.source !== undefined && (
        <span
          style={{ width: `${SOURCE_WIDTH}ch` }}
          title={line.source.node === null ? line.source.name : `${line.source.name} on ${line.source.node}`}
          className="shrink-0 truncate pr-[2ch] text-ink-2 select-none"
        >
          {line.source.name}
        </span>
      )}
      {look.streams === "column" && (
        <span className="w-[4ch] shrink-0 text-ink-3 select-none" title={line.stream}>
          {line.stream === "stderr" && "err"}
        </span>
      )}
      <span
        className={classNames("min-h-5 [tab-size:4]", look.wrap ? "min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap" : "whitespace-pre")}
      >
        {look.streams === "inline" && line.stream === "stderr" && <span className="text-ink-3 select-none">err </span>}
        <AnsiText line={line.text} finder={look.finder} isCurrent={isSelected} limit={isFolded ? FOLD_AT : Number.POSITIVE_INFINITY} />
        {isFolded && (
          <button
            type="button"
            className="ml-2 rounded bg-surface px-1.5 font-sans text-ink-2 underline hover:text-ink"
            onClick={() => onUnfold(line.id)}
          >
            {formatCount(line.plain.length - FOLD_AT)} more characters
          </button>
        )}
      </span>
      <button
        type="button"
        tabIndex={isSelected ? 0 : -1}
        aria-label="Copy line"
        aria-keyshortcuts="c"
        title="Copy line (c)"
        onClick={() => void copyText(line.plain)}
        className={classNames(
          "right-1 h-5 shrink-0 self-start rounded bg-surface px-1.5 font-sans text-ink-2 hover:text-ink focus-visible:opacity-100",
          look.wrap ? "absolute" : "sticky ml-auto",
          isSelected ? "opacity-100" : "opacity-0 group-hover:opacity-100 pointer-coarse:hidden",
        )}
      >
        copy
      </button>
    </div>
  );
}

const TONES = { down: "text-down", degraded: "text-degraded", ok: "text-ok", idle: "text-ink-2", maintenance: "text-maintenance" } as const;

function NoteRow({ entry, look }: { entry: LogNote; look: RowLook }) {
  return (
    <div className={classNames("flex border-l-2 border-transparent pr-3 pl-2.5", TONES[entry.tone])}>
      <RowTime time={entry.time} look={look} />
      {look.streams === "column" && <span className="w-[4ch] shrink-0" />}
      <span className={look.wrap ? "min-w-0 flex-1 wrap-anywhere" : "whitespace-pre"}>— {entry.note} —</span>
    </div>
  );
}

function RowTime({ time, look }: { time: number | null; look: RowLook }) {
  if (look.times === null) return null;
  const width = look.times === "second" ? "min-w-[10ch]" : "min-w-[14ch]";
  if (time === null) return <span className={classNames("shrink-0", width)} />;
  const at = new Date(time);
  const utc = at.toISOString();
  return (
    <time dateTime={utc} title={formatExact(utc)} className={classNames("shrink-0 pr-[2ch] whitespace-nowrap text-ink-3", width)}>
      {formatLineTime(at, look.nowMs, look.times)}
    </time>
  );
}
