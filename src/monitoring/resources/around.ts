import { RANGE_NAMES, SPANS_MS } from "../../contract/ranges.ts";
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { COLUMN } from "./family.ts";
import { percent, whole } from "./snapshot.ts";
import type { SeriesFigures, SeriesStore } from "./store.ts";

/** What one container used in one step of time, at the most; null where it could not be read. */
export interface UsagePoint {
  at: Date;
  cpuPercent: number | null;
  memoryBytes: number | null;
  memoryLimitBytes: number | null;
}

/** What one container used around a moment. */
export interface UsageAround {
  stepSeconds: number;
  /** Oldest first, steps in which nothing was measured left out. */
  points: UsagePoint[];
}

export interface MomentSpan {
  at: Date;
  beforeMs: number;
  afterMs: number;
}

export interface AroundParts {
  series: Pick<SeriesStore, "read">;
  clock: Clock;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  requireCapability(capability: string): void;
}

/** From the finest on: the finer ones are kept for less long. */
const STEPS_MS = [30_000, MINUTE_MS, HOUR_MS] as const;

/** Reads what a container used around a moment, as finely as it is still kept. Throws EDITION_REQUIRED for a moment beyond the edition. */
export function createUsageAround({ series, clock, requireCapability }: AroundParts) {
  return async (containerId: number, { at, beforeMs, afterMs }: MomentSpan): Promise<UsageAround> => {
    const nowMs = clock.now().getTime();
    const fromMs = at.getTime() - beforeMs;
    const range = RANGE_NAMES.find((name) => SPANS_MS[name] >= nowMs - fromMs) ?? "30d";
    requireCapability(`history_${range}`);
    for (const stepMs of STEPS_MS) {
      const from = Math.floor(fromMs / stepMs) * stepMs;
      const steps = Math.max(1, Math.floor((at.getTime() + afterMs - from) / stepMs));
      const figures = await series.read({ id: containerId, fromMs: from, toMs: from + steps * stepMs, stepMs });
      const points = pointsOf(figures, { from, steps, stepMs });
      if (points.length > 0) return { stepSeconds: stepMs / 1000, points };
    }
    return { stepSeconds: STEPS_MS[0] / 1000, points: [] };
  };
}

function pointsOf(
  figures: readonly SeriesFigures[],
  { from, steps, stepMs }: { from: number; steps: number; stepMs: number },
): UsagePoint[] {
  const [cpu, memory, limit] = [COLUMN.cpu_percent, COLUMN.memory_bytes, COLUMN.memory_limit_bytes].map((column) => figures[column]?.max);
  return Array.from({ length: steps }, (_, index) => ({
    at: new Date(from + index * stepMs),
    cpuPercent: percent(cpu?.[index] ?? Number.NaN),
    memoryBytes: whole(memory?.[index] ?? Number.NaN),
    memoryLimitBytes: whole(limit?.[index] ?? Number.NaN),
  })).filter(({ cpuPercent, memoryBytes }) => cpuPercent !== null || memoryBytes !== null);
}
