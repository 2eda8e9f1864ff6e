/** A month as weeks, and how windows of time lie across them. All of it in local time, by the calendar, so that clock changes do no harm. */

/** A month of a year; January is 0. */
export interface Month {
  year: number;
  month: number;
}

/** The weeks that a month touches, Monday first; each day by its midnight. */
export function weeksOf({ year, month }: Month): Date[][] {
  const first = new Date(year, month, 1);
  const offset = (first.getDay() + 6) % 7;
  const days = new Date(year, month + 1, 0).getDate();
  const weeks = Math.ceil((offset + days) / 7);
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => new Date(year, month, 1 - offset + week * 7 + day)),
  );
}

export function monthOf(at: Date): Month {
  return { year: at.getFullYear(), month: at.getMonth() };
}

export function addMonths({ year, month }: Month, count: number): Month {
  return monthOf(new Date(year, month + count, 1));
}

/** `2026-11`, as an address has it. */
export function monthText({ year, month }: Month): string {
  return `${String(year).padStart(4, "0")}-${String(month + 1).padStart(2, "0")}`;
}

export function readMonth(text: string | undefined): Month | undefined {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text ?? "");
  return match === null ? undefined : { year: Number(match[1]), month: Number(match[2]) - 1 };
}

/** `November 2026`. */
export function monthName({ year, month }: Month): string {
  return new Date(year, month, 1).toLocaleDateString("en-GB", { month: "long", year: "numeric" });
}

export interface Span {
  id: number;
  startMs: number;
  endMs: number;
}

/** A span's part of one week: from which day, over how many, in which line. */
export interface Segment<Kind extends Span> {
  span: Kind;
  /** 0 is Monday. */
  day: number;
  days: number;
  lane: number;
  /** It began before this week, or continues after it. */
  continuesBefore: boolean;
  continuesAfter: boolean;
}

/** How spans lie across a week: none covers another, earlier ones stand higher, longer ones first. */
export function layWeek<Kind extends Span>(week: readonly Date[], spans: readonly Kind[]): Segment<Kind>[] {
  const starts = week.map((day) => day.getTime());
  const last = week.at(-1);
  const weekStart = starts[0];
  if (last === undefined || weekStart === undefined) return [];
  const weekEnd = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime();
  const laneEnds: number[] = [];
  return spans
    .filter(({ startMs, endMs }) => startMs < weekEnd && Math.max(endMs, startMs + 1) > weekStart)
    .sort((one, other) => one.startMs - other.startMs || other.endMs - one.endMs || one.id - other.id)
    .map((span) => {
      const day = Math.max(
        0,
        starts.findLastIndex((start) => start <= span.startMs),
      );
      // What ends at midnight does not touch the day that begins then.
      const end = Math.max(
        day,
        starts.findLastIndex((start) => start < span.endMs),
      );
      const free = laneEnds.findIndex((laneEnd) => laneEnd < day);
      const lane = free < 0 ? laneEnds.length : free;
      laneEnds[lane] = end;
      return { span, day, days: end - day + 1, lane, continuesBefore: span.startMs < weekStart, continuesAfter: span.endMs > weekEnd };
    });
}
