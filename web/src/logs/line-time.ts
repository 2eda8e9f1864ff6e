import { formatDay } from "../format/time.ts";

/**
 * The time of a line by the local clock: `04:12:07.118`, with its day before it when that is not today's. Many are drawn in
 * each frame of a fast log, so that it does without the machinery of locales.
 */
export function formatLineTime(at: Date, nowMs: number, precision: "second" | "millisecond"): string {
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const time = precision === "second" ? clock : `${clock}.${String(at.getMilliseconds()).padStart(3, "0")}`;
  return isSameDay(at, new Date(nowMs)) ? time : `${formatDay(at, nowMs)} ${time}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function isSameDay(one: Date, other: Date): boolean {
  return one.getDate() === other.getDate() && one.getMonth() === other.getMonth() && one.getFullYear() === other.getFullYear();
}
