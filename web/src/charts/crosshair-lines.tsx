import { useCrosshair, type Crosshair } from "./crosshair.ts";
import type { Drawing, LineLook } from "./plot.ts";
import { nearestIndex } from "./points.ts";

/** Where the crosshair is in one chart, with a dot on each line that is drawn. */
export function CrosshairLines({ crosshair, drawing, looks }: { crosshair: Crosshair; drawing: Drawing; looks: readonly LineLook[] }) {
  const { times, from, until, lines, scale } = drawing;
  const at = useCrosshair(crosshair);
  const index = at === null ? undefined : nearestIndex(times, at);
  if (index === undefined) return null;
  const left = `${(((times[index] ?? from) - from) / (until - from)) * 100}%`;
  return (
    <>
      <div className="pointer-events-none absolute inset-y-0 w-px -translate-x-1/2 bg-ink" style={{ left }} />
      {lines.map((values, line) => {
        const value = values[index] ?? null;
        if (value === null || looks[line] === "top" || looks[line] === "limit") return null;
        return (
          <div
            key={line}
            className={`pointer-events-none absolute size-[7px] -translate-x-1/2 translate-y-1/2 rounded-full border border-bg ${looks[line] === "dashed" ? "bg-ink-2" : "bg-accent"}`}
            style={{ left, bottom: `${scale.fractionOf(value) * 100}%` }}
          />
        );
      })}
    </>
  );
}
