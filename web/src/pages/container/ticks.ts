/** A mark on the axis of time. */
interface Tick {
  at: number;
  label: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Marks at whole local hours or days, at most `most` of them. */
export function ticksOf(from: number, until: number, most: number): Tick[] {
  const length = until - from;
  const hours = [1, 2, 3, 4, 6, 12].find((step) => length / (step * HOUR) <= most);
  const days =
    hours === undefined || length > 2 * DAY ? ([1, 2, 5, 7, 14, 30, 60].find((step) => length / (step * DAY) <= most) ?? 90) : undefined;
  const ticks: Tick[] = [];
  const at = new Date(from);
  at.setHours(0, 0, 0, 0);
  while (at.getTime() < until) {
    if (at.getTime() >= from) ticks.push({ at: at.getTime(), label: labelOf(at) });
    if (days === undefined) at.setHours(at.getHours() + (hours ?? 24));
    else at.setDate(at.getDate() + days);
  }
  return ticks;
}

/** The hour; at midnight the day. */
function labelOf(at: Date): string {
  if (at.getHours() === 0) return at.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return `${String(at.getHours()).padStart(2, "0")}:00`;
}
