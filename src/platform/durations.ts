const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Longest duration accepted anywhere: Go's own limit, about 292 years, would overflow our timestamps' use of it. */
const LONGEST_MS = 100 * 366 * 24 * 3_600_000;

/**
 * Milliseconds of a duration in Go's format, such as `90s`, `1h30m` or `1.5h`; undefined when it is not one.
 * Negative durations are refused, since no option has a use for them. Source: Go, time.ParseDuration.
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

/** A duration in Go's format, such as `1h30m` or `250ms`. */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return "0s";
  if (durationMs < 1000) return `${durationMs}ms`;
  const hours = Math.floor(durationMs / 3_600_000);
  const minutes = Math.floor((durationMs % 3_600_000) / 60_000);
  const seconds = (durationMs % 60_000) / 1000;
  return `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes}m` : ""}${seconds > 0 ? `${seconds}s` : ""}`;
}
