/** For how many days something has been monitored, since the oldest day with data. `days` are newest first. */
export function observedDays(days: readonly { uptime_percent: number | null }[]): number {
  return days.findLastIndex(({ uptime_percent: percent }) => percent !== null) + 1;
}
