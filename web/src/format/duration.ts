/** How long a run took, in three figures or so: `340 ms`, `4.2 s`, `42 s`, `3 min 05`, `1 h 04`, `2 d 3 h`. */
export function formatDuration(lengthMs: number): string {
  if (lengthMs < 1000) return `${Math.max(0, Math.round(lengthMs))} ms`;
  if (lengthMs < 10_000) return `${Math.floor(lengthMs / 100) / 10} s`;
  const seconds = Math.floor(lengthMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)}`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}
