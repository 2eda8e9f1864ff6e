/** The longest wait of an agent's schedule, with its jitter. */
const LONGEST_RECONNECT_MS = 75_000;
/** To connect, when all agents do at once. */
const CONNECT_WITHIN_MS = 10_000;

/** A stream that is open says something every five seconds, however short the threshold is. */
const QUIET_STREAM_MS = 20_000;

/** Over how long the rate of events is averaged. */
const RATE_WINDOW_MS = 10_000;

/** What is known of an agent's contact, on a clock that only rises. */
export interface Contact {
  /** A stream of it is open; what stands between may keep it open for long after it is gone. */
  streaming: boolean;
  /** What came of it is being saved, and nothing more is read until it is. */
  taking: boolean;
  /** When something last came from it. */
  seenMs: number;
}

/** Connected is who was seen within the threshold. Source: specification, Agent states. */
export function isConnected({ streaming, taking, seenMs }: Contact, { nowMs, staleMs }: { nowMs: number; staleMs: number }): boolean {
  return taking || nowMs - seenMs <= (streaming ? Math.max(staleMs, QUIET_STREAM_MS) : staleMs);
}

/** How long an agent may take to come back after we were away: it doubles its waits while it cannot reach us. */
export function returnsWithin(awayMs: number): number {
  return Math.min(LONGEST_RECONNECT_MS, CONNECT_WITHIN_MS + 1.25 * awayMs);
}

/** When an agent counts as seen at our start: when it last was, but no earlier than leaves it the time to come back. */
export function seenAtStart(agent: { startMs: number; seenAgoMs: number; awayMs: number; staleMs: number }): number {
  const { startMs, seenAgoMs, awayMs, staleMs } = agent;
  return startMs + Math.max(-Math.max(seenAgoMs, 0), returnsWithin(awayMs) - staleMs);
}

/** The next mean rate, a second, after `count` more within `elapsedMs`; the past counts for less and less. */
export function nextRate(rate: number, count: number, elapsedMs: number): number {
  if (elapsedMs <= 0) return rate;
  const weight = 1 - Math.exp(-elapsedMs / RATE_WINDOW_MS);
  return rate + ((count * 1000) / elapsedMs - rate) * weight;
}
