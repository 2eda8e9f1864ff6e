import { MINUTE_MS } from "../../contract/time.ts";

/** When an agent tries again after its stream ended. Source: specification, Limits, Agent reconnect delay; contract, section 12. */

const FIRST_MS = 1000;
const CEILING_MS = MINUTE_MS;
/** A stream that lasted longer was a good one. */
const GOOD_STREAM_MS = 30_000;
/** Where only a person can help, and need not be in a hurry. */
const SLOWLY_MS = 10 * MINUTE_MS;

/** How a stream, or the attempt at one, ended. */
export interface StreamEnd {
  /** The error code of the service, such as `agent_revoked`; undefined when there was none, as after a broken connection. */
  code: string | undefined;
  /** From the server's welcome; 0 when it never came. */
  lastedMs: number;
}

/** What follows: never again, or after a wait. `attempt` is for the next call. */
export type NextAttempt = { again: false } | { again: true; delayMs: number; attempt: number };

/** What a person must change at the server before it can succeed: tried again, but seldom. */
const SLOW_CODES = new Set(["edition_required", "agent_unknown", "protocol_unsupported"]);

/** Decides when to try again. `attempt` counts from 0; `random` is in [0, 1). */
export function nextAttempt({ code, lastedMs }: StreamEnd, attempt: number, random: number): NextAttempt {
  if (code === "agent_revoked") return { again: false };
  const jitter = 0.75 + random * 0.5;
  if (code !== undefined && SLOW_CODES.has(code)) return { again: true, delayMs: Math.round(SLOWLY_MS * jitter), attempt: 0 };
  const current = lastedMs > GOOD_STREAM_MS ? 0 : attempt;
  const plain = Math.min(CEILING_MS, FIRST_MS * 2 ** Math.min(current, 30));
  return { again: true, delayMs: Math.round(plain * jitter), attempt: current + 1 };
}
