import { DAY_MS } from "../../../../src/contract/time.ts";
import type { PostureDayRecord } from "../../../../src/monitoring/security/answers.ts";

/** One place for each of the last days up to the last known one, oldest first; undefined for a day without data. */
export function dayBars(history: readonly PostureDayRecord[], days: number): (PostureDayRecord | undefined)[] {
  const last = history.at(-1);
  if (last === undefined) return [];
  const byDate = new Map(history.map((day) => [day.date, day]));
  const lastMs = Date.parse(last.date);
  return Array.from({ length: days }, (_, index) => byDate.get(new Date(lastMs - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)));
}
