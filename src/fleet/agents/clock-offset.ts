import { DAY_MS, SECOND_MS } from "../../contract/time.ts";

/** An agent sends one in five seconds. */
const READINGS = 12;
/** A clock that is further off is wrong by too much for any of its times. */
const MOST_MS = DAY_MS;

/**
 * How far a clock is ahead by a further reading, in whole seconds; undefined while the present offset stands. A slow message makes a reading too low and none
 * too high, so a clock is ahead by the highest reading. A higher one counts at once, lower ones when there are no others for a minute. Readings are changed.
 * Source: the clock filter of NTP, RFC 5905, section 10.
 */
export function measuredOffset(readings: number[], readingMs: number, presentMs: number): number | undefined {
  readings.push(Math.min(Math.max(readingMs, -MOST_MS), MOST_MS));
  if (readings.length > READINGS) readings.shift();
  const highestMs = Math.max(...readings);
  const isHigher = highestMs - presentMs >= SECOND_MS;
  const isLower = readings.length === READINGS && presentMs - highestMs >= SECOND_MS;
  if (!isHigher && !isLower) return undefined;
  // Readings of before the clock was set would hold its next change up.
  readings.splice(0, readings.length, highestMs);
  return Math.round(highestMs / SECOND_MS) * SECOND_MS;
}
