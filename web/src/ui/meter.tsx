import { formatShare } from "../format/usage.ts";
import { classNames } from "./class-names.ts";
import { StatusIcon } from "./status-icon.tsx";

/** From here on a share in use is marked: there is little left. */
const NEARLY_ALL = 90;

interface Properties {
  /** Of 100; null is not known. */
  percent: number | null;
  /** More in a title: `5.02 of 7.63 GiB`. */
  title?: string | undefined;
  /** The width of the bar, by class. */
  bar?: string;
}

/** A share in use as a bar, with its figure in a reserved width. */
export function Meter({ percent, title, bar = "w-[88px]" }: Properties) {
  return (
    <span title={title} className="flex items-center gap-2.5">
      <MeterBar percent={percent} className={bar} />
      <MeterFigure percent={percent} className="w-[54px]" />
    </span>
  );
}

/** The bar alone; its figure must stand beside it, so it is hidden from screen readers. */
export function MeterBar({ percent, className }: { percent: number | null; className?: string }) {
  return (
    <span aria-hidden className={classNames("block h-1 overflow-hidden rounded-full bg-line", className)}>
      <span
        className={classNames("block h-full rounded-full", isNearlyAll(percent) ? "bg-degraded" : "bg-ink-2")}
        style={{ width: `${percent ?? 0}%` }}
      />
    </span>
  );
}

/** The figure, marked where it is near the limit. */
export function MeterFigure({ percent, className }: { percent: number | null; className?: string }) {
  return (
    <span className={classNames("inline-flex items-center gap-1 text-sm whitespace-nowrap tabular-nums", className)}>
      {formatShare(percent)}
      {isNearlyAll(percent) && (
        <>
          <StatusIcon status="degraded" size={10} />
          <span className="sr-only">Near limit</span>
        </>
      )}
    </span>
  );
}

function isNearlyAll(percent: number | null): boolean {
  return percent !== null && percent >= NEARLY_ALL;
}
