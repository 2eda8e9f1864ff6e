import { DAY_MS, MINUTE_MS } from "../../../src/contract/time.ts";

/** A mark on the axis of time. */
interface Tick {
  at: number;
  label: string;
}

/** Marks at round local times or days, at most `most` of them. */
export function ticksOf(from: number, until: number, most: number): Tick[] {
  const length = until - from;
  const minutes = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720].find((step) => length / (step * MINUTE_MS) <= most);
  const days =
    minutes === undefined || length > 2 * DAY_MS
      ? ([1, 2, 5, 7, 14, 30, 60].find((step) => length / (step * DAY_MS) <= most) ?? 90)
      : undefined;
  const ticks: Tick[] = [];
  const at = new Date(from);
  at.setHours(0, 0, 0, 0);
  while (at.getTime() < until) {
    if (at.getTime() >= from) ticks.push({ at: at.getTime(), label: labelOf(at) });
    if (days === undefined) at.setMinutes(at.getMinutes() + (minutes ?? 24 * 60));
    else at.setDate(at.getDate() + days);
  }
  return ticks;
}

/** The time; at midnight the day. */
function labelOf(at: Date): string {
  if (at.getHours() === 0 && at.getMinutes() === 0) return at.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}
