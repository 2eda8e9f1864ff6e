import { daysShare, daysWords } from "../format/certificate-status.ts";
import { classNames } from "./class-names.ts";

interface Properties {
  days: number | null;
  /** Whether these are too few. */
  isLow: boolean;
  className?: string;
}

/** How many days are left, as a bar of ninety with its words; nothing seen is a dash. */
export function DaysLeft({ days, isLow, className }: Properties) {
  const over = days !== null && days < 0;
  return (
    <span className={classNames("flex min-w-0 items-center gap-2.5", className)}>
      <span aria-hidden className="block h-1 w-20 shrink-0 overflow-hidden rounded-full bg-line max-sm:w-12">
        <span
          className={classNames("block h-full rounded-full", over ? "bg-down" : isLow ? "bg-degraded" : "bg-ink-2")}
          style={{ width: `${over ? 100 : daysShare(days)}%` }}
        />
      </span>
      <span className="truncate text-sm tabular-nums">{daysWords(days) ?? "–"}</span>
    </span>
  );
}
