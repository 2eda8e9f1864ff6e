/** How long a run took, in three figures or so: `340 ms`, `4.2 s`, `42 s`, `3 min 5 s`, `1 h 4 min`, `2 d 3 h`; what is none is left out. */
export function formatDuration(lengthMs: number): string {
  if (lengthMs < 1000) return `${Math.max(0, Math.round(lengthMs))} ms`;
  if (lengthMs < 10_000) return `${Math.floor(lengthMs / 100) / 10} s`;
  const seconds = Math.floor(lengthMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return both(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 24 * 60) return both(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.floor(minutes / 60);
  return both(Math.floor(hours / 24), "d", hours % 24, "h");
}

function both(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`;
}
