import type { CheckResult } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { AddressGuard } from "../peers/address-guard.ts";
import { type Peer, PeerError, peerName } from "../peers/failure.ts";
import type { Resolver } from "../peers/resolver.ts";
import type { Trust } from "../tls/trust.ts";

/** What a probe works with. */
export interface ProbeParts {
  clock: Clock;
  resolver: Resolver;
  guard: AddressGuard;
  trust: Trust;
}

/** What one probe showed, and where: the address that was connected to, null when none was. */
export interface Outcome {
  result: CheckResult;
  address: string | null;
}

/** What a probe has learned so far. It is reported whether the probe succeeds or not. */
export interface Learned {
  address: string | null;
  responseTimeMs: number | null;
  httpStatus: number | null;
  certificate: CheckResult["certificate"];
}

export const NOTHING_LEARNED: Readonly<Learned> = { address: null, responseTimeMs: null, httpStatus: null, certificate: null };

export function successOf({ address, ...learned }: Learned): Outcome {
  return { result: { success: true, observed: true, failureClass: null, error: null, ...learned }, address };
}

export function failureOf({ address, ...learned }: Learned, error: unknown): Outcome {
  const { failureClass, message, isOurs } =
    error instanceof PeerError ? error : new PeerError("connect", `The check could not be made: ${messageOf(error)}.`);
  return { result: { success: false, observed: !isOurs, failureClass, error: message, ...learned }, address };
}

/** What a peer did not do in time, by what a probe waited for. */
const LATENESS = {
  connect: "did not accept the connection",
  handshake: "did not finish the TLS handshake",
  answer: "accepted the connection and did not answer",
  body: "did not finish its answer",
} as const;
type Step = "resolve" | keyof typeof LATENESS;

function latenessOf(step: Step, peer: Peer, within: string): PeerError {
  if (step === "resolve") return new PeerError("dns", `The resolver gave no answer for ${peer.host} within ${within}.`);
  return new PeerError("timeout", `${peerName(peer)} ${LATENESS[step]} within ${within}.`);
}

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
      lateness = () => latenessOf(step, peer, `${timeoutMs / 1000} s`);
    },
    clear() {
      timer.cancel();
      outer.removeEventListener("abort", callOff);
    },
  };
}
