import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/contract/time.ts";

/**
 * A length of time in as few words as possible: `now`, `12 s`, `8 min`, `1 h 4 min`, `22 h`, `3 d`, `5 wk`, `2 y`.
 * Negative lengths, from clocks that disagree, read as `now`.
 */
export function formatAge(lengthMs: number): string {
  if (lengthMs < SECOND_MS) return "now";
  if (lengthMs < MINUTE_MS) return `${Math.floor(lengthMs / SECOND_MS)} s`;
  if (lengthMs < HOUR_MS) return `${Math.floor(lengthMs / MINUTE_MS)} min`;
  if (lengthMs < 10 * HOUR_MS) {
    const minutes = Math.floor((lengthMs % HOUR_MS) / MINUTE_MS);
    return `${Math.floor(lengthMs / HOUR_MS)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
  }
  if (lengthMs < 2 * DAY_MS) return `${Math.floor(lengthMs / HOUR_MS)} h`;
  if (lengthMs < 60 * DAY_MS) return `${Math.floor(lengthMs / DAY_MS)} d`;
  if (lengthMs < 365 * DAY_MS) return `${Math.floor(lengthMs / (7 * DAY_MS))} wk`;
  return `${Math.floor(lengthMs / (365 * DAY_MS))} y`;
}

/** How long something lasts: `a moment` as long as it is no second. */
export function formatLength(lengthMs: number): string {
  return lengthMs < SECOND_MS ? "a moment" : formatAge(lengthMs);
}

/** The same, as a point in time: `now`, `8 min ago`. */
export function formatAgo(lengthMs: number): string {
  const age = formatAge(lengthMs);
  return age === "now" ? "just now" : `${age} ago`;
}

/** A point in time for a title: local, to the second, with its offset: `2026-11-21 05:12:07 (UTC+1)`. */
export function formatExact(timestamp: string): string {
  const at = new Date(timestamp);
  const offsetMinutes = -at.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const offset = offsetMinutes === 0 ? "" : `${offsetMinutes < 0 ? "-" : "+"}${hours}${minutes === 0 ? "" : `:${twoDigits(minutes)}`}`;
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":")} (UTC${offset})`;
}

/** A sentence of the server with its points in time in local time: `until 2026-03-01 12:00 UTC` becomes `until 1 Mar 13:00`, `on 2026-03-01` a day. */
export function withLocalTimes(sentence: string): string {
  const withDays = sentence.replace(/\bon (\d{4})-(\d{2})-(\d{2})(?=[.,;]|$)/g, (whole, ...[year, month, day]: string[]) => {
    const at = new Date(Number(year), Number(month) - 1, Number(day));
    return Number.isNaN(at.getTime()) ? whole : `on ${formatDay(at, at.getTime())}`;
  });
  return withDays.replace(/\b(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})(:\d{2})? UTC\b/g, (_, day: string, time: string, seconds?: string) => {
    const timestamp = `${day}T${time}${seconds ?? ":00"}Z`;
    const at = Date.parse(timestamp);
    // Seen from two days later, so that the day is written.
    return Number.isNaN(at) ? timestamp : formatLocal(timestamp, at + 2 * DAY_MS, seconds === undefined ? "minute" : "second");
  });
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** The browser would make a formatter for each time, which took a fifth of the overview's rendering. */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"] as const;

/** A point in local time: the time alone when it is today, with the date before it otherwise. Undefined parts of `timestamp` are never guessed. */
export function formatLocal(timestamp: string, nowMs: number, precision: "minute" | "second" | "millisecond" = "second"): string {
  const at = new Date(timestamp);
  const parts = [at.getHours(), at.getMinutes(), ...(precision === "minute" ? [] : [at.getSeconds()])];
  const milliseconds = precision === "millisecond" ? `.${String(at.getMilliseconds()).padStart(3, "0")}` : "";
  const time = `${parts.map(twoDigits).join(":")}${milliseconds}`;
  const today = new Date(nowMs).toDateString() === at.toDateString();
  return today ? time : `${formatDay(at, nowMs)} ${time}`;
}

/** `12 Nov`, with the year when it is not this one. */
export function formatDay(at: Date, nowMs: number): string {
  const sameYear = new Date(nowMs).getFullYear() === at.getFullYear();
  return `${at.getDate()} ${MONTHS[at.getMonth()]}${sameYear ? "" : ` ${at.getFullYear()}`}`;
}
