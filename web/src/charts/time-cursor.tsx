import type { KeyboardEvent } from "react";
import { useCrosshair, type Crosshair } from "./crosshair.ts";
import { nearestIndex } from "./points.ts";

interface Properties {
  label: string;
  /** The id of what describes the chart. */
  describedBy: string;
  times: readonly number[];
  crosshair: Crosshair;
  /** What there is at a point, in words. */
  textAt: (index: number) => string;
}

const PAGE = 10;

/** The crosshair for those who do not point: focused, arrow keys move it from point to point, and a screen reader says what is there. */
export function TimeCursor({ label, describedBy, times, crosshair, textAt }: Properties) {
  const at = useCrosshair(crosshair);
  const last = times.length - 1;
  const index = (at === null ? undefined : nearestIndex(times, at)) ?? last;

  function handleKey(event: KeyboardEvent): void {
    if (event.key === "Escape") return crosshair.point(null);
    const next = nextIndex(event.key, { index, last, isShown: at !== null });
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    event.preventDefault();
    return crosshair.point(times[Math.min(Math.max(next, 0), last)] ?? null);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={textAt(index)}
      onKeyDown={handleKey}
      onBlur={() => crosshair.point(null)}
      className="absolute inset-0 rounded-[4px] focus-visible:outline-offset-1"
    />
  );
}

function nextIndex(key: string, { index, last, isShown }: { index: number; last: number; isShown: boolean }): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return isShown ? index - 1 : last;
    case "ArrowRight":
    case "ArrowUp":
      return isShown ? index + 1 : last;
    case "PageDown":
      return index - PAGE;
    case "PageUp":
      return index + PAGE;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
