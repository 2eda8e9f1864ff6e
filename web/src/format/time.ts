const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A length of time in the fewest words that still tell: `now`, `12 s`, `8 min`, `1 h 04`, `22 h`, `3 d`, `5 wk`, `2 y`.
 * Negative lengths, from clocks that disagree, read as `now`.
 */
export function formatAge(lengthMs: number): string {
  if (lengthMs < SECOND) return "now";
  if (lengthMs < MINUTE) return `${Math.floor(lengthMs / SECOND)} s`;
  if (lengthMs < HOUR) return `${Math.floor(lengthMs / MINUTE)} min`;
  if (lengthMs < 10 * HOUR) {
    const minutes = Math.floor((lengthMs % HOUR) / MINUTE);
    return `${Math.floor(lengthMs / HOUR)} h ${String(minutes).padStart(2, "0")}`;
  }
  if (lengthMs < 2 * DAY) return `${Math.floor(lengthMs / HOUR)} h`;
  if (lengthMs < 60 * DAY) return `${Math.floor(lengthMs / DAY)} d`;
  if (lengthMs < 365 * DAY) return `${Math.floor(lengthMs / (7 * DAY))} wk`;
  return `${Math.floor(lengthMs / (365 * DAY))} y`;
}

/** The same, as a point in time: `now`, `8 min ago`. */
export function formatAgo(lengthMs: number): string {
  const age = formatAge(lengthMs);
  return age === "now" ? "just now" : `${age} ago`;
}

/** A point in time for a title: UTC to the second, with its zone. */
export function formatUtc(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`;
}

/** A point in local time: the time alone when it is today, with the date before it otherwise. Undefined parts of `timestamp` are never guessed. */
export function formatLocal(timestamp: string, nowMs: number, precision: "minute" | "second" | "millisecond" = "second"): string {
  const at = new Date(timestamp);
  const time = at.toLocaleTimeString(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    ...(precision !== "minute" && { second: "2-digit" }),
    ...(precision === "millisecond" && { fractionalSecondDigits: 3 as const }),
    hourCycle: "h23",
  });
  const today = new Date(nowMs).toDateString() === at.toDateString();
  return today ? time : `${formatDay(at, nowMs)} ${time}`;
}

/** `12 Nov`, with the year when it is not this one. */
export function formatDay(at: Date, nowMs: number): string {
  const sameYear = new Date(nowMs).getFullYear() === at.getFullYear();
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(!sameYear && { year: "numeric" }) });
}
