/** How long an agent may take to come back to a server that was away: the longest wait of its schedule, with its jitter. */
const LONGEST_RECONNECT_MS = 75_000;

/** Over how long the rate of events is averaged. */
const RATE_WINDOW_MS = 10_000;

/** What is known of an agent's contact, on a clock that only rises. */
export interface Contact {
  /** A stream of it is open. */
  streaming: boolean;
  /** When something last came from it. */
  seenMs: number;
}

/** Connected is whose stream is open, or who was seen within the threshold. Source: specification, Agent states. */
export function isConnected({ streaming, seenMs }: Contact, { nowMs, staleMs }: { nowMs: number; staleMs: number }): boolean {
  return streaming || nowMs - seenMs <= staleMs;
}

/**
 * When an agent counts as seen that was connected when this program ended: so that it is not called lost before it could come back, however short
 * the threshold.
 */
export function seenAtStart({ startMs, staleMs }: { startMs: number; staleMs: number }): number {
  return startMs + Math.max(0, LONGEST_RECONNECT_MS - staleMs);
}

/** The next mean rate, a second, after `count` more within `elapsedMs`; the past counts for less and less. */
export function nextRate(rate: number, count: number, elapsedMs: number): number {
  if (elapsedMs <= 0) return rate;
  const weight = 1 - Math.exp(-elapsedMs / RATE_WINDOW_MS);
  return rate + ((count * 1000) / elapsedMs - rate) * weight;
}
