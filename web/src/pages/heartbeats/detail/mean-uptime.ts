/** The mean of the days on which something was watched; null when there is none. */
export function meanUptime(days: readonly { uptime_percent: number | null }[]): number | null {
  const known = days.flatMap(({ uptime_percent: uptime }) => (uptime === null ? [] : [uptime]));
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}
