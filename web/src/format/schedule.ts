import { joinWords } from "../../../src/contract/words.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";

export type ScheduleFacts = Pick<HeartbeatRecord, "interval_seconds" | "cron" | "timezone">;

/** When a job runs, in words: `every 5 min`, `03:30 daily, Europe/Berlin`, `09:00 Mon to Fri, UTC`; a line without short words stays as it is. */
export function scheduleWords(facts: ScheduleFacts): string {
  if (facts.cron === null) return facts.interval_seconds === null ? "–" : intervalWords(facts.interval_seconds);
  return `${cronWords(facts.cron)}, ${facts.timezone}`;
}

/** `every minute`, `every 5 min`, `every 1 h 30 min`, `every day`. */
export function intervalWords(seconds: number): string {
  const one = { 60: "every minute", 3600: "every hour", 86_400: "every day" }[seconds];
  return one ?? `every ${secondsWords(seconds)}`;
}

/** A whole number of seconds, nothing left out: `45 s`, `5 min`, `1 h 30 min`, `2 d`. */
export function secondsWords(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * length;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@hourly": "hourly at :00",
  "@daily": "00:00 daily",
  "@midnight": "00:00 daily",
  "@weekly": "00:00 on Sun",
  "@monthly": "00:00 on day 1 of the month",
  "@yearly": "00:00 on 1 Jan",
  "@annually": "00:00 on 1 Jan",
};
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The common lines in words, all others as they are. */
export function cronWords(line: string): string {
  const text = line.trim().toLowerCase();
  const nickname = NICKNAMES[text];
  if (nickname !== undefined) return nickname;
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = text.split(/\s+/);
  if (more.length > 0) return line;
  const everyDay = day === "*" && month === "*" && weekday === "*";
  if (everyDay && hour === "*") return everyMinutes(minute) ?? line;
  const hours = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (everyDay && hours !== undefined && isNumber(minute)) return `every ${hours} h at :${minute.padStart(2, "0")}`;
  const times = timesOfDay(minute, hour);
  const date = times === undefined ? undefined : dayWords(day, month, weekday);
  return times === undefined || date === undefined ? line : `${times} ${date}`;
}

function everyMinutes(minute: string): string | undefined {
  if (minute === "*" || minute === "*/1") return "every minute";
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  // Other steps are uneven at the turn of the hour.
  if (step !== undefined) return 60 % Number(step) === 0 ? `every ${step} min` : undefined;
  return isNumber(minute) ? `hourly at :${minute.padStart(2, "0")}` : undefined;
}

/** `03:30`, or `08:00 and 20:00`. */
function timesOfDay(minute: string, hour: string): string | undefined {
  const hours = hour.split(",");
  if (!isNumber(minute) || !hours.every(isNumber) || hours.length > 3) return undefined;
  const times = hours.map((each) => `${each.padStart(2, "0")}:${minute.padStart(2, "0")}`);
  return joinWords(times);
}

function dayWords(day: string, month: string, weekday: string): string | undefined {
  if (month !== "*") {
    const name = MONTHS[isNumber(month) ? Number(month) - 1 : MONTHS.findIndex((each) => each.toLowerCase() === month)];
    return weekday === "*" && isNumber(day) && name !== undefined ? `on ${day} ${name}` : undefined;
  }
  if (weekday === "*") return day === "*" ? "daily" : isNumber(day) ? `on day ${day} of the month` : undefined;
  if (day !== "*") return undefined;
  const names = weekday.split(",").map(weekdayName);
  if (names.some((name) => name === undefined)) return undefined;
  return names.length === 1 && weekday.includes("-") ? names[0] : `on ${names.join(", ")}`;
}

/** `Mon`, or for a range `Mon to Fri`. */
function weekdayName(text: string): string | undefined {
  const names = text.split("-").map((each) => (isNumber(each) ? DAYS[Number(each)] : DAYS.find((name) => name.toLowerCase() === each)));
  return names.length > 2 || names.includes(undefined) ? undefined : names.join(" to ");
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}
