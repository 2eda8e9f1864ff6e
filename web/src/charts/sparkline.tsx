import { memo } from "react";
import { LINE_WIDTH, sparkPath } from "./spark-path.ts";

interface Properties {
  /** Oldest first, evenly spaced; null is a gap. Hand over the same array while nothing changed, and nothing is drawn again. */
  values: readonly (number | null)[];
  /** What reaches the top; more is cut off there. */
  max: number;
  /** In px. */
  width: number;
  height: number;
}

/** A line of a few values, in its fixed size whatever they are. It is hidden from screen readers: the figure belongs beside it. */
export const Sparkline = memo(function Sparkline({ values, max, width, height }: Properties) {
  return (
    <svg width={width} height={height} aria-hidden className="block shrink-0 text-accent">
      <path
        d={sparkPath(values, { max, width, height })}
        fill="none"
        stroke="currentColor"
        strokeWidth={LINE_WIDTH}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
});
