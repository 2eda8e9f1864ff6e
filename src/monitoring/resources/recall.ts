import { TICK_MS } from "../../observations.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { COLUMN } from "./family.ts";
import { POINT_MS, pointAt, POINTS, type Sparklines } from "./sparkline.ts";
import type { SeriesFigures, SeriesStore } from "./store.ts";

/** Between two containers, so that nobody waits for this. */
const PAUSE_MS = 5;

/** Fills the sparklines of containers from what was kept of their last hour. Who was filled is off the list. Throws `storage_unavailable`. */
export async function recallSparklines({
  ids,
  series,
  sparklines,
  clock,
  signal,
}: {
  ids: Set<number>;
  series: SeriesStore;
  sparklines: Sparklines;
  clock: Clock;
  signal: AbortSignal;
}): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) return;
    const nowMs = clock.now().getTime();
    const lastPoint = pointAt(nowMs);
    const firstPoint = lastPoint - POINTS + 1;
    const figures = await series.read({ id, fromMs: firstPoint * POINT_MS, toMs: (lastPoint + 1) * POINT_MS, stepMs: POINT_MS });
    const means = meansOf(figures);
    if (means !== undefined) {
      const ticksUnderWay = Math.ceil((nowMs - lastPoint * POINT_MS) / TICK_MS);
      sparklines.fill(id, { ...means, firstPoint, count: (point) => (point === lastPoint ? ticksUnderWay : POINT_MS / TICK_MS) });
    }
    ids.delete(id);
    if (ids.size > 0) await pause(clock, PAUSE_MS, signal);
  }
}

/** undefined when nothing was measured. */
function meansOf(figures: readonly SeriesFigures[]): { cpu: Float64Array; memory: Float64Array } | undefined {
  const cpu = figures[COLUMN.cpu_percent]?.mean;
  const used = figures[COLUMN.memory_bytes]?.mean;
  const limits = figures[COLUMN.memory_limit_bytes]?.mean;
  if (cpu === undefined || used === undefined || limits === undefined) return undefined;
  const memory = used.map((bytes, point) => Math.min((bytes / (limits[point] || Number.NaN)) * 100, 100));
  return [...cpu, ...memory].every(Number.isNaN) ? undefined : { cpu, memory };
}
