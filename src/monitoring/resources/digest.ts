import type { History } from "./answers.ts";
import { percent, whole } from "./snapshot.ts";

type Column = Exclude<keyof History["series"], "timestamps">;

/** The few numbers that summarize a history: from which columns, and how they are rounded. */
const METRICS = {
  cpu_percent: { mean: "cpu_percent", max: "cpu_percent_max", rounded: percent },
  memory_bytes: { mean: "memory_bytes", max: "memory_bytes_max", rounded: whole },
  network_rx_bytes_per_second: { mean: "network_rx_bytes_per_second", max: "network_rx_bytes_per_second", rounded: whole },
  network_tx_bytes_per_second: { mean: "network_tx_bytes_per_second", max: "network_tx_bytes_per_second", rounded: whole },
  disk_read_bytes_per_second: { mean: "disk_read_bytes_per_second", max: "disk_read_bytes_per_second", rounded: whole },
  disk_write_bytes_per_second: { mean: "disk_write_bytes_per_second", max: "disk_write_bytes_per_second", rounded: whole },
} as const satisfies Record<string, { mean: Column; max: Column; rounded(value: number | null): number | null }>;
export type DigestMetric = keyof typeof METRICS;
// The keys are those of the type.
export const DIGEST_METRICS = Object.keys(METRICS) as DigestMetric[];

/** One metric over the whole range; all null when it was never measured. */
export interface Figures {
  /** The lowest mean of a step. */
  min: number | null;
  mean: number | null;
  max: number | null;
  /** When the step with the maximum began. */
  max_at: string | null;
}

/** Several steps of a history as one. */
export interface DigestPoint extends Record<DigestMetric, number | null> {
  timestamp: string;
  cpu_percent_max: number | null;
  memory_bytes_max: number | null;
}

export interface Digest {
  summary: Record<DigestMetric, Figures>;
  /** How much of the range something was measured in. */
  measured_percent: number;
  /** Of the points. */
  step_seconds: number;
  /** Oldest first; those in which nothing was measured are left out. */
  points: DigestPoint[];
}

/** A history in few enough words to be read as text: at most so many points. */
export function digestOf({ series, step_seconds: stepSeconds }: Pick<History, "series" | "step_seconds">, maxPoints: number): Digest {
  const steps = series.timestamps.length;
  const measured = series.timestamps.filter((_, step) => DIGEST_METRICS.some((metric) => isNumber(series[METRICS[metric].mean][step])));
  const size = maxPoints === 0 ? steps : Math.max(Math.ceil(steps / maxPoints), 1);
  const starts = maxPoints === 0 ? [] : Array.from({ length: Math.ceil(steps / size) }, (_, point) => point * size);
  return {
    summary: eachMetric((metric) => figuresOf(series, metric)),
    measured_percent: percent(steps === 0 ? 0 : (measured.length / steps) * 100) ?? 0,
    step_seconds: size * stepSeconds,
    points: starts.flatMap((from) => pointOf(series, from, from + size) ?? []),
  };
}

/** The same for every metric. */
export function eachMetric<Value>(valueOf: (metric: DigestMetric) => Value): Record<DigestMetric, Value> {
  // One entry for each metric is all that the type asks for.
  return Object.fromEntries(DIGEST_METRICS.map((metric) => [metric, valueOf(metric)])) as Record<DigestMetric, Value>;
}

function figuresOf(series: History["series"], metric: DigestMetric): Figures {
  const { mean, max, rounded } = METRICS[metric];
  const means = series[mean].filter(isNumber);
  const highest = highestOf(series[max]);
  return {
    min: rounded(means.length === 0 ? null : means.reduce((least, value) => Math.min(least, value))),
    mean: rounded(meanOf(means)),
    max: rounded(highest?.value ?? null),
    max_at: highest === undefined ? null : (series.timestamps[highest.step] ?? null),
  };
}

/** undefined when nothing was measured. */
function pointOf(series: History["series"], from: number, to: number): DigestPoint | undefined {
  const timestamp = series.timestamps[from];
  const part = (column: Column): (number | null)[] => series[column].slice(from, to);
  const means = eachMetric((metric) => METRICS[metric].rounded(meanOf(part(METRICS[metric].mean).filter(isNumber))));
  if (timestamp === undefined || Object.values(means).every((mean) => mean === null)) return undefined;
  return {
    timestamp,
    ...means,
    cpu_percent_max: highestOf(part("cpu_percent_max"))?.value ?? null,
    memory_bytes_max: highestOf(part("memory_bytes_max"))?.value ?? null,
  };
}

/** The first of the highest. */
function highestOf(values: readonly (number | null)[]): { value: number; step: number } | undefined {
  let highest: { value: number; step: number } | undefined;
  for (const [step, value] of values.entries()) if (isNumber(value) && value > (highest?.value ?? -Infinity)) highest = { value, step };
  return highest;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
