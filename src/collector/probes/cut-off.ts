import type { FailureClass } from "../../observations.ts";

/** What speaks for a failure being this host's own. */
export interface CutOffEvidence {
  failureClass: FailureClass | null;
  /** Whether the endpoint that failed answered lately; what never did may be wrong by itself. */
  answeredLately: boolean;
  /** Loopback, or in a network that this host is part of, such as its containers'. */
  isNear: boolean;
  /** An interface that leads out of the host is up. */
  interfaceUp: boolean;
  /** null when it cannot be known. */
  defaultRoute: boolean | null;
  /** Plain connections to other hosts that answered lately and are not near: even a refusal means that the network carries. */
  others: { tried: number; reached: number };
  /** Lookups of other names that were found lately: even "not found" means that the resolver answers. */
  names: { tried: number; answered: number };
}

/**
 * Whether a failed check says nothing of its endpoint, because this host itself has no network or no resolver. Conservative: a single broken
 * endpoint is never excused, and neither is what is near. Source: specification, Endpoint checks.
 */
export function isCutOff(evidence: CutOffEvidence): boolean {
  const { failureClass, answeredLately, isNear, interfaceUp, defaultRoute, others, names } = evidence;
  if (isNear || !answeredLately) return false;
  if (failureClass !== "dns" && failureClass !== "connect" && failureClass !== "timeout") return false;
  const resolverIsSilent = names.tried > 0 && names.answered === 0;
  const othersAreSilent = others.tried > 0 && others.reached === 0;
  const hasNoWayOut = !interfaceUp || defaultRoute === false;
  return (failureClass === "dns" && resolverIsSilent) || (othersAreSilent && (hasNoWayOut || resolverIsSilent));
}
