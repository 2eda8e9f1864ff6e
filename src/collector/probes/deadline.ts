import type { Clock } from "../../platform/clock.ts";
import { type Peer, PeerError, peerName } from "../peers/failure.ts";

/** What a probe waits for; the sentence about a timeout names it. */
export type Step = "resolve" | "connect" | "handshake" | "answer" | "body";

const LATENESS: Record<Step, (peer: Peer, within: string) => PeerError> = {
  resolve: ({ host }, within) => new PeerError("dns", `The resolver gave no answer for ${host} within ${within}.`),
  connect: (peer, within) => new PeerError("timeout", `${peerName(peer)} did not accept the connection within ${within}.`),
  handshake: (peer, within) => new PeerError("timeout", `${peerName(peer)} did not finish the TLS handshake within ${within}.`),
  answer: (peer, within) => new PeerError("timeout", `${peerName(peer)} accepted the connection and did not answer within ${within}.`),
  body: (peer, within) => new PeerError("timeout", `${peerName(peer)} did not finish its answer within ${within}.`),
};

/** The time that a whole probe may take, from the first lookup to the last byte. */
export interface Deadline {
  /** Aborted when the time is up, with a PeerError about the step, or when the probe is called off. */
  readonly signal: AbortSignal;
  enter(step: Step, peer: Peer): void;
  /** Must be called at the end. */
  clear(): void;
}

export function startDeadline(clock: Clock, timeoutMs: number, outer: AbortSignal): Deadline {
  const ending = new AbortController();
  let lateness: () => PeerError = () => new PeerError("timeout", "The check took too long.");
  const timer = clock.after(timeoutMs, () => ending.abort(lateness()));
  const callOff = (): void => ending.abort(outer.reason);
  if (outer.aborted) callOff();
  outer.addEventListener("abort", callOff, { once: true });
  return {
    signal: ending.signal,
    enter(step, peer) {
      lateness = () => LATENESS[step](peer, `${timeoutMs / 1000} s`);
    },
    clear() {
      timer.cancel();
      outer.removeEventListener("abort", callOff);
    },
  };
}
