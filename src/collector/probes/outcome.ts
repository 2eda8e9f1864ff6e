import type { CheckResult } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { AddressGuard } from "../peers/address-guard.ts";
import { PeerError } from "../peers/failure.ts";
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
