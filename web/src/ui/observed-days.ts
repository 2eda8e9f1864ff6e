/** For how many days something has been monitored: from the oldest day of which anything is known. `days` are newest first. */
export function observedDays(days: readonly { uptime_percent: number | null }[]): number {
  return days.findLastIndex(({ uptime_percent: percent }) => percent !== null) + 1;
}
