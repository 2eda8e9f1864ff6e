import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/time.ts";

const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: MINUTE_MS, h: HOUR_MS };

/** Longer than any sensible value: a hundred years. */
const LONGEST_MS = 100 * 366 * DAY_MS;

/**
 * The milliseconds of a duration in Go's format, such as `90s`, `1h30m` or `1.5h`; undefined when it is not one. Negative durations are refused,
 * since no option needs them. Source: Go, time.ParseDuration.
 */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
  let totalMs = 0;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return undefined;
    totalMs += Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
  }
  return text !== "" && totalMs <= LONGEST_MS ? totalMs : undefined;
}
