import { DAY_MS } from "../../../../src/contract/time.ts";
import type { PostureDayRecord } from "../../../../src/monitoring/security/answers.ts";

/** One place for each of so many days up to the last that is known, oldest first; undefined is a day of which nothing is known. */
export function dayBars(history: readonly PostureDayRecord[], days: number): (PostureDayRecord | undefined)[] {
  const last = history.at(-1);
  if (last === undefined) return [];
  const byDate = new Map(history.map((day) => [day.date, day]));
  const lastMs = Date.parse(last.date);
  return Array.from({ length: days }, (_, index) => byDate.get(new Date(lastMs - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)));
}
