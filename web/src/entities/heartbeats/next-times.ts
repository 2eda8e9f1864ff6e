import { type CronLine, nextLocal } from "./cron.ts";

/** Longer than any hour that a clock shows twice or leaves out: this many times may come to nothing. */
const LONGEST_CHANGE_MINUTES = 240;

/**
 * The next instants at which a line fires in a zone; none when this browser does not know the zone. Where a clock leaves out an hour, the time
 * told is the moment it jumps.
 */
export function nextTimes(line: CronLine, timezone: string, fromMs: number, count: number): number[] {
  const localMs = clockOf(timezone);
  if (localMs === undefined) return [];
  const times: number[] = [];
  let wall: number | undefined = localMs(fromMs);
  for (let tries = 0; times.length < count && tries < count + LONGEST_CHANGE_MINUTES; tries += 1) {
    wall = nextLocal(line, wall + 1);
    if (wall === undefined) break;
    const at = instantOf(wall, localMs);
    if (at > fromMs && !times.includes(at)) times.push(at);
  }
  return times;
}

/** What the clock of a zone shows, written as if it were UTC; undefined for a zone that is not known. */
export function clockOf(timezone: string): ((atMs: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    return (atMs) => {
      const at: Record<string, number> = {};
      for (const { type, value } of format.formatToParts(atMs)) at[type] = Number(value);
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
      return Date.UTC(year, month - 1, day, hour, minute, second);
    };
  } catch {
    // The one way to ask whether a zone is known is to use it.
    return undefined;
  }
}

/** When the clock shows `wall`: the first time if it does so twice, the moment of the jump if never. */
function instantOf(wall: number, localMs: (atMs: number) => number): number {
  const dayMs = 86_400_000;
  const offsets = [wall - dayMs, wall + dayMs].map((atMs) => localMs(atMs) - atMs);
  const [before = 0, after = 0] = offsets;
  const candidates = [wall - before, wall - after].filter((atMs) => localMs(atMs) === wall);
  if (candidates.length > 0) return Math.min(...candidates);
  // Left out: the jump lies between what the offset after it and the one before it make of the time.
  let [low, high] = [wall - Math.max(before, after), wall - Math.min(before, after)];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (localMs(middle) - middle === before) low = middle;
    else high = middle;
  }
  return high;
}
