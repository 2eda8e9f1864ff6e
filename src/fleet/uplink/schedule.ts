import { MINUTE_MS } from "../../contract/time.ts";

/** Decides when an agent reconnects after its stream ended. Source: specification, Limits, Agent reconnect delay; contract, section 12. */

const FIRST_MS = 1000;
const CEILING_MS = MINUTE_MS;
/** A stream that lasted longer counts as successful. */
const GOOD_STREAM_MS = 30_000;
/** For faults that only a person can fix, without hurry. */
const SLOWLY_MS = 10 * MINUTE_MS;

/** How a stream, or an attempt to open one, ended. */
export interface StreamEnd {
  /** The error code of the service, such as `agent_revoked`; undefined without one, as after a broken connection. */
  code: string | undefined;
  /** Since the server's welcome; 0 when there was none. */
  lastedMs: number;
}

/** What follows: nothing, or an attempt after a wait, which ends early if `untilReopened` and the server's port reopens. Pass `attempt` to the next call. */
export type NextAttempt = { again: false } | { again: true; delayMs: number; attempt: number; untilReopened: boolean };

/** Codes for which a person must change something at the server: tried again, but seldom. */
const SLOW_CODES = new Set(["edition_required", "agent_unknown", "protocol_unsupported"]);

/** Decides when to try again. `attempt` counts from 0; `random` is in [0, 1). */
export function nextAttempt({ code, lastedMs }: StreamEnd, attempt: number, random: number): NextAttempt {
  if (code === "agent_revoked") return { again: false };
  const jitter = 0.75 + random * 0.5;
  if (code !== undefined && SLOW_CODES.has(code))
    return { again: true, delayMs: Math.round(SLOWLY_MS * jitter), attempt: 0, untilReopened: false };
  const current = lastedMs > GOOD_STREAM_MS ? 0 : attempt;
  const plain = Math.min(CEILING_MS, FIRST_MS * 2 ** Math.min(current, 30));
  return { again: true, delayMs: Math.round(plain * jitter), attempt: current + 1, untilReopened: true };
}
