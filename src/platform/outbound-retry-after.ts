import { HOUR_MS } from "../contract/time.ts";

/** However long a receiver asks to be left alone. */
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * The `Retry-After` of an answer in milliseconds from `now`, at most an hour: seconds or a date; null when there is none or it makes no sense.
 * Source: RFC 9110, section 10.2.3.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,15}(\.\d{1,6})?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_WAIT_MS);
  // Dates alone: Date.parse makes something of nearly any text.
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), LONGEST_WAIT_MS);
}
