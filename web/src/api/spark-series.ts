import { READING_INTERVAL_MS } from "../../../src/contract/thresholds.ts";
import type { EventData } from "../../../src/events.ts";
import type { Sparklines } from "../../../src/monitoring/resources/answers.ts";

/** What one container used over the last hour: percent of allocation, oldest first, null where nothing is known. */
export interface SparkLine {
  cpu: readonly (number | null)[];
  memory: readonly (number | null)[];
}

/** The lines of all containers, ready to be drawn. The last point of each is the step under way. */
export interface SparkSeries {
  stepMs: number;
  /** When the step under way began. */
  stepAtMs: number;
  length: number;
  lines: ReadonlyMap<number, SparkLine>;
  /** The exact means of the step under way; the lines hold them as they are drawn. */
  means: ReadonlyMap<number, Mean>;
}

interface Mean {
  cpu: number | null;
  memory: number | null;
}

/** The lines of an answer. */
export function sparkSeries({ step_seconds, timestamps, containers }: Sparklines): SparkSeries {
  const lines = containers.map((each) => [each.container_id, { cpu: each.cpu_percent, memory: each.memory_percent }] as const);
  return {
    stepMs: step_seconds * 1000,
    stepAtMs: Date.parse(timestamps.at(-1) ?? "1970-01-01"),
    length: timestamps.length,
    lines: new Map(lines),
    means: new Map(lines.map(([id, { cpu, memory }]) => [id, { cpu: cpu.at(-1) ?? null, memory: memory.at(-1) ?? null }])),
  };
}

/**
 * The lines with what was read since: the mean of the step under way continues, a new step shifts them. A line that would be drawn as before
 * stays the same object.
 */
export function extendSparkSeries(series: SparkSeries, events: readonly EventData["resource.snapshot"][]): SparkSeries {
  const { stepMs, length } = series;
  if (length === 0) return series;
  let { stepAtMs } = series;
  let lines = new Map(series.lines);
  const means = new Map(series.means);
  const nothing: SparkLine = { cpu: Array.from({ length }, () => null), memory: Array.from({ length }, () => null) };

  for (const { timestamp, snapshots } of events) {
    const atMs = Date.parse(timestamp);
    if (atMs < stepAtMs) continue;
    const steps = Math.floor((atMs - stepAtMs) / stepMs);
    if (steps > 0) {
      stepAtMs += steps * stepMs;
      lines = new Map(lines.entries().map(([id, { cpu, memory }]) => [id, { cpu: shift(cpu, steps), memory: shift(memory, steps) }]));
      means.clear();
    }
    const ticksBefore = Math.floor((atMs - stepAtMs) / READING_INTERVAL_MS);
    for (const { container_id: id, cpu_percent, memory_percent } of snapshots) {
      const before = means.get(id);
      const mean = {
        cpu: meanWith(before?.cpu ?? null, cpu_percent, ticksBefore),
        memory: meanWith(before?.memory ?? null, memory_percent, ticksBefore),
      };
      means.set(id, mean);
      const line = lines.get(id) ?? nothing;
      const cpu = withLast(line.cpu, asDrawn(mean.cpu));
      const memory = withLast(line.memory, asDrawn(mean.memory));
      if (cpu !== line.cpu || memory !== line.memory) lines.set(id, { cpu, memory });
    }
  }
  return { stepMs, stepAtMs, length, lines, means };
}

function shift(values: readonly (number | null)[], steps: number): (number | null)[] {
  return values.map((_, index) => values[index + steps] ?? null);
}

/** The mean of a step with one more reading. The number of readings before follows from the time: a failed one hardly changes the mean. */
function meanWith(mean: number | null, value: number | null, ticksBefore: number): number | null {
  if (value === null || mean === null) return value ?? mean;
  return (mean * ticksBefore + value) / (ticksBefore + 1);
}

/** Finer differences than these cannot be seen in a line of some 20 px. */
function asDrawn(percent: number | null): number | null {
  if (percent === null) return null;
  return percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
}

function withLast(values: readonly (number | null)[], value: number | null): readonly (number | null)[] {
  return asDrawn(values.at(-1) ?? null) === value ? values : values.with(values.length - 1, value);
}
