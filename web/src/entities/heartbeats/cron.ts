/**
 * What a cron line says, for the form: the fault beside the field, and the next times. The server judges lines by the same rules
 * (crontab(5) of Debian's cron) and has the last word.
 */
export interface CronLine {
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** A star in one of the day fields: the other alone decides. */
  needsBothDays: boolean;
}

interface Field {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { name: "day of week", min: 0, max: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

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

/** Reads a line, or says what is wrong with it. */
export function readCron(text: string): { line: CronLine } | { fault: string } {
  const asked = text.trim().toLowerCase();
  if (asked.startsWith("@") && !NICKNAMES.has(asked)) {
    return { fault: `"${asked.slice(0, 40)}" is not a time; use one of ${[...NICKNAMES.keys()].join(", ")}, or five fields.` };
  }
  const texts = (NICKNAMES.get(asked) ?? asked).split(/\s+/).filter((each) => each !== "");
  if (texts.length !== 5) {
    const seconds = texts.length === 6 ? " Seconds and years are not supported." : "";
    const count = texts.length === 0 ? "none" : texts.length;
    return { fault: `A cron line has five fields: minute, hour, day of month, month, day of week; this one has ${count}.${seconds}` };
  }
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = readField(texts[index] ?? "", field);
    if ("fault" in read) return read;
    values.push(read.values);
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values;
  const line: CronLine = {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((each) => each % 7)),
    needsBothDays: isStar(texts[2] ?? "") || isStar(texts[4] ?? ""),
  };
  if (nextLocal(line, Date.UTC(2024, 0, 1)) === undefined) return { fault: "This line never fires: none of its months has such a day." };
  return { line };
}

type Read = { values: number[] } | { fault: string };

function isStar(text: string): boolean {
  return text.startsWith("*") || text.startsWith("?");
}

function readField(text: string, field: Field): Read {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const read = readPart(part, field);
    if ("fault" in read) return read;
    for (const value of read.values) values.add(value);
  }
  return { values: [...values].sort((a, b) => a - b) };
}

function readPart(part: string, field: Field): Read {
  const { name, max } = field;
  const [range = "", stepText, ...rest] = part.split("/");
  const [first = "", last, ...more] = range.split("-");
  if (rest.length > 0 || more.length > 0) return { fault: `"${part.slice(0, 40)}" cannot be read in the field ${name}.` };
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (step === undefined || step < 1 || step > max) {
    return { fault: `"/${(stepText ?? "").slice(0, 40)}" is not a step for the field ${name}: 1 to ${max}.` };
  }
  if (range === "*" || range === "?") return { values: steps(field.min, max, step) };
  const from = valueOf(first, field);
  if (from === undefined) return { fault: notAValue(first, field) };
  if (last === undefined) return { values: steps(from, stepText === undefined ? from : max, step) };
  const end = valueOf(last, field);
  if (end === undefined) return { fault: notAValue(last, field) };
  // Sunday ends a week as well as it begins one.
  const to = max === 7 && end === 0 && from > 0 ? 7 : end;
  if (to < from) return { fault: `The range ${first}-${last} in the field ${name} ends before it begins.` };
  return { values: steps(from, to, step) };
}

function numberOf(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function valueOf(text: string, { min, max, names = [] }: Field): number | undefined {
  const named = names.indexOf(text);
  const value = named === -1 ? numberOf(text) : named + min;
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function notAValue(text: string, { name, min, max, names = [] }: Field): string {
  const example = names.length === 0 ? "" : `, or ${names[0]} to ${names.at(-1)}`;
  return `"${text.slice(0, 40)}" is not a value of the field ${name}: ${min} to ${max}${example}.`;
}

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Of the rarest lines two firings are 40 years apart. */
const SEARCHED_DAYS = 366 * 45;

/** The first minute at or after `fromMs` that the line asks for, by a clock on the wall; both written as if they were UTC. */
export function nextLocal(line: CronLine, fromMs: number): number | undefined {
  const from = Math.ceil(fromMs / MINUTE_MS) * MINUTE_MS;
  const today = from - (from % DAY_MS);
  for (let day = today, searched = 0; searched < SEARCHED_DAYS; day += DAY_MS, searched += 1) {
    if (!isDayOf(line, new Date(day))) continue;
    const least = day === today ? (from - today) / MINUTE_MS : 0;
    for (const hour of line.hours) {
      const minute = line.minutes.find((each) => hour * 60 + each >= least);
      if (minute !== undefined) return day + (hour * 60 + minute) * MINUTE_MS;
    }
  }
  return undefined;
}

function isDayOf(line: CronLine, date: Date): boolean {
  if (!line.months.has(date.getUTCMonth() + 1)) return false;
  const byDay = line.days.has(date.getUTCDate());
  const byWeekday = line.weekdays.has(date.getUTCDay());
  return line.needsBothDays ? byDay && byWeekday : byDay || byWeekday;
}
