import { type Range, RESOURCE_STEPS_MS, SPANS_MS, RANGE_NAMES } from "../../contract/ranges.ts";
import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { History } from "./answers.ts";
import type { Breach } from "./limits.ts";
import { percent, whole, COLUMN, type KeptColumn } from "./snapshot.ts";
import type { ResourceStore, SeriesFigures, SeriesStore } from "./store.ts";
import type { ThresholdWatch } from "./thresholds.ts";

/** What was used, over a range up to now. */
export interface ResourceHistory {
  /** On a whole grid of steps, the last of them under way; null where nothing was measured. */
  of(containerId: number, range: Range): Promise<History>;
}

export function createHistory({
  series,
  store,
  thresholds,
  clock,
}: {
  series: SeriesStore;
  store: ResourceStore;
  thresholds: Pick<ThresholdWatch, "breach">;
  clock: Clock;
}): ResourceHistory {
  /** With the most until now, while it lasts. */
  function breachRecord(breach: Breach): History["breaches"][number] {
    const lasting = breach.resolvedAt === null ? thresholds.breach(breach.containerId, breach.metric) : null;
    return {
      metric: breach.metric,
      threshold: breach.threshold,
      peak: lasting?.peak ?? breach.peak,
      fired_at: breach.firedAt.toISOString(),
      resolved_at: breach.resolvedAt?.toISOString() ?? null,
    };
  }

  const timestamps = new Map<Range, { fromMs: number; texts: string[] }>();

  /** The same for everyone until the next step. */
  function timestampsOf(range: Range, fromMs: number): string[] {
    const made = timestamps.get(range);
    if (made?.fromMs === fromMs) return made.texts;
    const stepMs = RESOURCE_STEPS_MS[range];
    const texts = Array.from({ length: SPANS_MS[range] / stepMs }, (_, index) => new Date(fromMs + index * stepMs).toISOString());
    timestamps.set(range, { fromMs, texts });
    return texts;
  }

  return {
    async of(containerId, range) {
      const stepMs = RESOURCE_STEPS_MS[range];
      const toMs = (Math.floor(clock.now().getTime() / stepMs) + 1) * stepMs;
      const fromMs = toMs - SPANS_MS[range];
      const [figures, breaches] = await Promise.all([
        series.read({ id: containerId, fromMs, toMs, stepMs }),
        store.breaches(containerId, { from: new Date(fromMs), to: new Date(toMs) }),
      ]);
      const numbers = (column: KeptColumn, of: keyof SeriesFigures, rounded: (value: number) => number | null): (number | null)[] =>
        listOf(figures[COLUMN[column]]?.[of], rounded);
      return {
        container_id: containerId,
        range,
        step_seconds: stepMs / 1000,
        series: {
          timestamps: timestampsOf(range, fromMs),
          cpu_percent: numbers("cpu_percent", "mean", percent),
          cpu_percent_max: numbers("cpu_percent", "max", percent),
          memory_bytes: numbers("memory_bytes", "mean", whole),
          memory_bytes_max: numbers("memory_bytes", "max", whole),
          memory_limit_bytes: numbers("memory_limit_bytes", "mean", whole),
          network_rx_bytes_per_second: numbers("network_rx_bytes_per_second", "mean", whole),
          network_tx_bytes_per_second: numbers("network_tx_bytes_per_second", "mean", whole),
          disk_read_bytes_per_second: numbers("disk_read_bytes_per_second", "mean", whole),
          disk_write_bytes_per_second: numbers("disk_write_bytes_per_second", "mean", whole),
        },
        breaches: breaches.map(breachRecord),
      };
    },
  };
}

/** A loop over indexes: the iterator of a typed array takes ten times as long. */
function listOf(values: Float64Array | undefined, rounded: (value: number) => number | null): (number | null)[] {
  const list: (number | null)[] = [];
  for (let index = 0; index < (values?.length ?? 0); index += 1) list.push(rounded(values?.[index] ?? Number.NaN));
  return list;
}

/** What one container used in one step of time, at the most; null where it could not be read. */
interface UsagePoint {
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

interface AroundParts {
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
