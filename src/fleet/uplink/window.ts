/**
 * How many bytes of a replay may be on their way: as many as arrive within a moment, so that what is live, which must pass through the
 * same stream, never waits behind them for long.
 */

/** Each batch costs the server some commits, whatever its size: smaller ones would only make it slower. */
const LEAST_BYTES = 256 * 1024;
const FIRST_BYTES = 256 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
/** An acknowledgement that takes longer than this says that too much is on the way. */
const TOO_LONG_MS = 500;
const SHORT_MS = 200;

/** The next size, after a batch was acknowledged so long after it was sent. */
export function nextWindow(bytes: number, tookMs: number): number {
  if (tookMs > TOO_LONG_MS) return Math.max(LEAST_BYTES, Math.floor(bytes / 2));
  return tookMs < SHORT_MS ? Math.min(MOST_BYTES, Math.floor(bytes * 1.25)) : bytes;
}

export const FIRST_WINDOW_BYTES = FIRST_BYTES;
