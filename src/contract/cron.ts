import { DAY_MS, MINUTE_MS, HOUR_MS } from "./time.ts";
import { findTransition, type Zone } from "./zone.ts";

/** A cron line, understood. Source: crontab(5) of Debian's cron. */
export interface CronLine {
  /** Each ascending. */
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** Day of month and day of week must both fit, since one of the fields begins with a star; otherwise one of them is enough. */
  needsBothDays: boolean;
  /** Minute or hour begins with a star: fires by the clock on the wall, so in a repeated hour again, and not in one that is left out. */
  isWildcard: boolean;
}

interface Field {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const MINUTE: Field = { name: "minute", min: 0, max: 59 };
const HOUR: Field = { name: "hour", min: 0, max: 23 };
const DAY: Field = { name: "day of month", min: 1, max: 31 };
const MONTH: Field = { name: "month", min: 1, max: 12, names: MONTHS };
const WEEKDAY: Field = { name: "day of week", min: 0, max: 7, names: WEEKDAYS };

const NICKNAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  }),
);

/** Of the rarest lines two firings are 40 years apart: a certain weekday on a 29th of February around the year 2100. */
const SEARCHED_MONTHS = 12 * 45;

/** Reads a line of five fields, or a nickname such as `@daily`; answers what is wrong with it as a sentence. */
export function parseCron(text: string): { line: CronLine } | { fault: string } {
  const asked = text.trim().toLowerCase();
  if (asked.startsWith("@") && !NICKNAMES.has(asked)) {
    return { fault: `"${asked.slice(0, 40)}" is not a time; use one of ${[...NICKNAMES.keys()].join(", ")}, or five fields.` };
  }
  const fields = (NICKNAMES.get(asked) ?? asked).split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5) {
    const seconds = fields.length === 6 ? " Seconds and years are not supported." : "";
    const count = asked === "" ? "none" : String(fields.length);
    return { fault: `A cron line has five fields: minute, hour, day of month, month, day of week; this one has ${count}.${seconds}` };
  }
  try {
    const weekdays = parseField(weekday, WEEKDAY);
    const line: CronLine = {
      minutes: parseField(minute, MINUTE),
      hours: parseField(hour, HOUR),
      days: new Set(parseField(day, DAY)),
      months: new Set(parseField(month, MONTH)),
      weekdays: new Set(weekdays.map((each) => each % 7)),
      needsBothDays: isStar(day) || isStar(weekday),
      isWildcard: isStar(minute) || isStar(hour),
    };
    if (nextMatch(line, Date.UTC(2024, 0, 1)) === undefined) {
      return { fault: "This line never fires: none of its months has such a day." };
    }
    return { line };
  } catch (error) {
    if (error instanceof FieldFault) return { fault: error.message };
    throw error;
  }
}

/**
 * The first minute at or after `fromLocalMs` at which a clock on the wall shows what the line asks for. Both are local times, written as if they
 * were UTC. undefined for a line that never fires.
 */
export function nextMatch(line: CronLine, fromLocalMs: number): number | undefined {
  const from = Math.ceil(fromLocalMs / MINUTE_MS) * MINUTE_MS;
  const start = new Date(from);
  let day = from - (from % DAY_MS);
  for (let months = 0; months < SEARCHED_MONTHS; months += 1) {
    const month = new Date(day).getUTCMonth();
    const nextMonth = Date.UTC(new Date(day).getUTCFullYear(), month + 1, 1);
    if (line.months.has(month + 1)) {
      for (; day < nextMonth; day += DAY_MS) {
        if (!fitsDay(line, new Date(day))) continue;
        const isFirst = start.getTime() - day > 0 && start.getTime() - day < DAY_MS;
        const minute = isFirst ? minuteOfDay(line, start.getUTCHours(), start.getUTCMinutes()) : minuteOfDay(line, 0, 0);
        if (minute !== undefined) return day + minute * MINUTE_MS;
      }
    }
    day = nextMonth;
  }
  return undefined;
}

function fitsDay(line: CronLine, date: Date): boolean {
  const byDay = line.days.has(date.getUTCDate());
  const byWeekday = line.weekdays.has(date.getUTCDay());
  return line.needsBothDays ? byDay && byWeekday : byDay || byWeekday;
}

/** The first minute of a day, from that time on, that the line asks for. */
function minuteOfDay({ minutes, hours }: CronLine, fromHour: number, fromMinute: number): number | undefined {
  for (const hour of hours) {
    if (hour < fromHour) continue;
    const minute = minutes.find((each) => hour > fromHour || each >= fromMinute);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return undefined;
}

class FieldFault extends Error {}

function isStar(text: string): boolean {
  return text.startsWith("*") || text.startsWith("?");
}

function parseField(text: string, field: Field): number[] {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const [first = "", last, ...more] = range.split("-");
    if (rest.length > 0 || more.length > 0) throw new FieldFault(`"${part.slice(0, 40)}" cannot be read in the field ${field.name}.`);
    const every = step === undefined ? 1 : parseStep(step, field);
    const [from, to] =
      isStar(first) && first.length === 1 && last === undefined ? [field.min, field.max] : bounds(first, last, step, field);
    for (let value = from; value <= to; value += every) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/** `5`, `5-7`, and `5/15`, which is `5-59/15`. */
function bounds(first: string, last: string | undefined, step: string | undefined, field: Field): [from: number, to: number] {
  const from = parseValue(first, field);
  if (last === undefined) return [from, step === undefined ? from : field.max];
  const end = parseValue(last, field);
  // Sunday ends a week as well as it begins one.
  const to = field === WEEKDAY && end === 0 && from > 0 ? 7 : end;
  if (to < from) throw new FieldFault(`The range ${first}-${last} in the field ${field.name} ends before it begins.`);
  return [from, to];
}

function parseValue(text: string, { name, min, max, names = [] }: Field): number {
  const named = names.indexOf(text);
  const value = named === -1 ? (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN) : named + min;
  if (!(value >= min && value <= max)) {
    const example = names.length === 0 ? "" : `, or ${names[0]} to ${names.at(-1)}`;
    throw new FieldFault(`"${text.slice(0, 40)}" is not a value of the field ${name}: ${min} to ${max}${example}.`);
  }
  return value;
}

function parseStep(text: string, { name, max }: Field): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (step < 1 || step > max) throw new FieldFault(`"/${text.slice(0, 40)}" is not a step for the field ${name}: 1 to ${max}.`);
  return step;
}

/** Longer than any hour that a clock repeats. */
const LONGEST_REPEAT_MS = 4 * HOUR_MS;

/**
 * The first firing after an instant, as Debian's cron does it when clocks change: a line with a star for minute or hour follows the clock on the wall. Any
 * other fires once for each of its times: at the first of two, and for one that is left out as soon as the clock has jumped over it.
 * Source: cron(8), Daylight saving time and other time changes.
 */
export function nextFiring(line: CronLine, zone: Zone, after: Date): Date {
  const offset = (atMs: number): number => zone.localMs(atMs) - atMs;
  let fromMs = after.getTime();
  let current = offset(fromMs);
  let local = nextLocal(line, Math.max(fromMs + current, line.isWildcard ? -Infinity : lastShown(zone, fromMs)) + 1);
  for (;;) {
    const atMs = local - current;
    if (offset(atMs) === current) return new Date(atMs);
    const { atMs: changeMs, jumpMs } = findTransition(zone, fromMs, atMs);
    const afterChange = changeMs + current + jumpMs;
    if (line.isWildcard) local = nextLocal(line, afterChange);
    else if (local < afterChange) return new Date(changeMs);
    fromMs = changeMs;
    current += jumpMs;
  }
}

/** The latest time that the clock has shown until now: it is later than now's in an hour that is repeated. */
function lastShown(zone: Zone, atMs: number): number {
  const earlierMs = atMs - LONGEST_REPEAT_MS;
  const jumped = zone.localMs(atMs) - zone.localMs(earlierMs) - LONGEST_REPEAT_MS;
  if (jumped >= 0) return zone.localMs(atMs);
  const { atMs: changeMs, jumpMs } = findTransition(zone, earlierMs, atMs);
  return Math.max(zone.localMs(changeMs) - jumpMs - MINUTE_MS, zone.localMs(atMs));
}

function nextLocal(line: CronLine, fromMs: number): number {
  const next = nextMatch(line, fromMs);
  if (next === undefined) throw new TypeError("a cron line that never fires");
  return next;
}
