import { MINUTE_MS } from "../contract/time.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

/** Between two lines about the same agent. */
const LOG_EVERY_MS = MINUTE_MS;

/** Warns that something of an agent is left out because its host has too much; at most once a minute, with how much it was since the last line. */
export type LimitLog = (agentId: string, counts: { leftOut: number; most: number }) => void;

export function createLimitLog({ clock, log, message }: { clock: Clock; log: Log; message: string }): LimitLog {
  const agents = new Map<string, { leftOut: number; loggedMs: number }>();
  return (agentId, { leftOut, most }) => {
    const before = agents.get(agentId) ?? { leftOut: 0, loggedMs: -Infinity };
    const sum = before.leftOut + leftOut;
    const nowMs = clock.monotonicMs();
    const isDue = nowMs - before.loggedMs >= LOG_EVERY_MS;
    if (isDue) log.warn({ agent_id: agentId, left_out: sum, most }, message);
    agents.set(agentId, isDue ? { leftOut: 0, loggedMs: nowMs } : { ...before, leftOut: sum });
  };
}
