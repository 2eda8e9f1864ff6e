import { countOf, formatPercent } from "../format/number.ts";

/** A day of something that is monitored, UTC. */
export interface Day {
  date: string;
  /** null: no time of it counts. */
  uptime_percent: number | null;
  /** Only where time can be observed that does not count. */
  observed_seconds?: number;
  incidents: number;
}

/** For how many days something has been monitored, since the oldest day with data. `days` are newest first. */
export function observedDays(days: readonly Pick<Day, "uptime_percent" | "observed_seconds">[]): number {
  return days.findLastIndex(isObserved) + 1;
}

export function dayTitle(day: Day): string {
  if (!isObserved(day)) return `${day.date}: not monitored`;
  if (day.uptime_percent === null) return `${day.date}: nothing counted`;
  const incidents = day.incidents === 0 ? "" : `, ${countOf(day.incidents, "incident")}`;
  return `${day.date}: ${formatPercent(day.uptime_percent)} up${incidents}`;
}

export function daysInWords(days: readonly Day[]): string {
  const counted = days.filter((day) => day.uptime_percent !== null);
  const full = counted.filter((day) => day.uptime_percent === 100).length;
  const unobserved = days.filter((day) => !isObserved(day)).length;
  const not = unobserved === 0 ? "" : `, ${unobserved} not monitored`;
  return `The last ${countOf(days.length, "day")}: ${counted.length} counted, ${full} of them fully up${not}`;
}

function isObserved({ uptime_percent: percent, observed_seconds: seconds }: Pick<Day, "uptime_percent" | "observed_seconds">): boolean {
  return seconds === undefined ? percent !== null : seconds > 0;
}
