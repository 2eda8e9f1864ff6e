import { DAY_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { formatDay, twoDigits } from "../format/time.ts";

/** A mark on the axis of time. */
interface Tick {
  at: number;
  label: string;
}

/** Marks at round local times or days, at most `most` of them. */
export function ticksOf(from: number, until: number, most: number): Tick[] {
  const length = until - from;
  const minutes =
    length > 2 * DAY_MS ? undefined : [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].find((step) => length / (step * MINUTE_MS) <= most);
  const days = [1, 2, 5, 7, 14, 30, 60].find((step) => length / (step * DAY_MS) <= most) ?? 90;
  const first = new Date(from);
  const ticks: Tick[] = [];
  let last = -Infinity;
  for (let step = 0; ; step += 1) {
    // Counted from the first midnight: a time that a clock change leaves out moves its own mark alone.
    const [day, minute] = minutes === undefined ? [step * days, 0] : [0, step * minutes];
    const at = new Date(first.getFullYear(), first.getMonth(), first.getDate() + day, 0, minute);
    if (at.getTime() >= until) return ticks;
    // The hour after one that was left out comes twice.
    if (at.getTime() >= from && at.getTime() > last) ticks.push({ at: at.getTime(), label: labelOf(at) });
    last = Math.max(last, at.getTime());
  }
}

/** The time; at the beginning of a day the day. It may begin at 01:00, where clocks change at midnight. */
function labelOf(at: Date): string {
  const start = new Date(at);
  start.setHours(0, 0, 0, 0);
  if (start.getTime() === at.getTime()) return formatDay(at, at.getTime());
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}
