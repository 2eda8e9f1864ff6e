import type { ResponseTimesAround } from "../../../../src/monitoring/endpoints/answers.ts";
import type { Span } from "../../charts/draw-markers.ts";
import type { Column } from "../../charts/points.ts";
import type { YScale } from "../../charts/y-scale.ts";
import { formatMilliseconds } from "../../format/milliseconds.ts";
import { countOf } from "../../format/number.ts";

interface ResponsePoints {
  /** Milliseconds since the epoch, ascending. */
  times: readonly number[];
  mean: Column;
  highest: Column;
}

/** The points of response times. Steps that are left out become gaps, so that no line leads over them. */
export function openGaps({ series, step_seconds }: ResponseTimesAround): ResponsePoints {
  const stepMs = step_seconds * 1000;
  const times: number[] = [];
  const mean: (number | null)[] = [];
  const highest: (number | null)[] = [];
  for (const [index, timestamp] of series.timestamps.entries()) {
    const at = Date.parse(timestamp);
    const before = times.at(-1);
    if (before !== undefined && at - before > 1.5 * stepMs) {
      times.push(at - stepMs);
      mean.push(null);
      highest.push(null);
    }
    times.push(at);
    mean.push(series.response_time_ms[index] ?? null);
    highest.push(series.response_time_ms_max[index] ?? null);
  }
  return { times, mean, highest };
}

/** The times in which checks failed; steps without a gap between them are one. */
export function failureSpans({ series, step_seconds }: Pick<ResponseTimesAround, "series" | "step_seconds">): Span[] {
  const stepMs = step_seconds * 1000;
  const spans: { from: number; until: number; failures: number; checks: number }[] = [];
  for (const [index, timestamp] of series.timestamps.entries()) {
    const failures = series.failures[index] ?? 0;
    if (failures === 0) continue;
    const from = Date.parse(timestamp);
    const checks = series.checks[index] ?? failures;
    const last = spans.at(-1);
    if (last !== undefined && from - last.until < stepMs) {
      last.until = from + stepMs;
      last.failures += failures;
      last.checks += checks;
    } else spans.push({ from, until: from + stepMs, failures, checks });
  }
  return spans.map(({ from, until, failures, checks }) => ({ from, until, words: `${failures} of ${countOf(checks, "check")} failed` }));
}

/** The top is left to the marks of what happened. */
const FULL = 0.9;

/** Milliseconds from 0 up to `peak`, marked at round steps. */
export function durationScale(peak: number | null): YScale {
  const raw = Math.max(peak ?? 0, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const count = Math.max(1, Math.ceil(Math.max(peak ?? 0, 1) / step));
  const max = step * count;
  return {
    fractionOf: (value) => Math.min(Math.max((value / max) * FULL, 0), 1),
    valueAt: (fraction) => Math.min(Math.max((fraction / FULL) * max, 0), max),
    ticks:
      peak === null
        ? []
        : Array.from({ length: count + 1 }, (_, index) => ({
            fraction: ((index * step) / max) * FULL,
            label: index === 0 ? "0" : formatMilliseconds(index * step),
          })),
  };
}
