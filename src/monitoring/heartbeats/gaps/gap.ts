/** A stretch of time in which no ping could be taken, in milliseconds since 1970. */
export interface Gap {
  fromMs: number;
  untilMs: number;
}

/** The latest ones count; a deadline waits for a year at most. */
export const MAX_GAPS = 1000;

/**
 * A deadline that counts from a moment on, moved by the time in which no ping could be taken until then, and not further: gaps that began after it was
 * reached do not count. The gaps are in order and apart from each other.
 */
export function moveDeadline(deadlineMs: number, sinceMs: number, gaps: readonly Gap[]): number {
  let movedMs = deadlineMs;
  for (const { fromMs, untilMs } of gaps.slice(gaps.findLastIndex((gap) => gap.untilMs <= sinceMs) + 1)) {
    if (fromMs >= movedMs) break;
    movedMs += untilMs - Math.max(fromMs, sinceMs);
  }
  return movedMs;
}

/** Adds what of a gap lies after the last one; none of it may be left. */
export function addGap(gaps: readonly Gap[], { fromMs, untilMs }: Gap): Gap[] {
  const gap = { fromMs: Math.max(fromMs, gaps.at(-1)?.untilMs ?? fromMs), untilMs };
  return gap.untilMs <= gap.fromMs ? [...gaps] : [...gaps, gap].slice(-MAX_GAPS);
}

/** The same gaps on a clock that was set back. */
export function turnBackGaps(gaps: readonly Gap[], byMs: number): Gap[] {
  return gaps.map(({ fromMs, untilMs }) => ({ fromMs: fromMs - byMs, untilMs: untilMs - byMs }));
}
