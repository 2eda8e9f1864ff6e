import { DAY_MS } from "../contract/time.ts";

/** A stored time this far ahead of now was taken while the clock was wrong. */
export const WRONG_CLOCK_MS = DAY_MS;

/** Whether a row may be deleted: it is from before a time, or its clock was wrong. Where the first rows by id count as the oldest, it would hold up those behind it. */
export function isPastKeeping(atMs: number, { beforeMs, nowMs }: { beforeMs: number; nowMs: number }): boolean {
  return atMs < beforeMs || atMs > nowMs + WRONG_CLOCK_MS;
}
