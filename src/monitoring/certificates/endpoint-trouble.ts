import { tlsPeerOf } from "../../contract/targets.ts";
import { certificateTargetKey } from "../../observations.ts";
import { expiresSoon } from "../endpoints/index.ts";
import type { CertificateAt } from "./past-store.ts";

/** Why an endpoint that answered was degraded, in the words of its record. */
export type EndpointTrouble = "certificate_untrusted" | "certificate_expiring";

/** Looks up what certificates as they were at a moment meant for https endpoints of their hosts; null: nothing, or nothing is known. */
export function endpointTroubles(
  certificates: readonly CertificateAt[],
  at: Date,
): (endpoint: { agentId: string | null; target: string }) => EndpointTrouble | null {
  const keyOf = (agentId: string | null, peer: CertificateAt["peer"]): string => `${agentId ?? ""} ${certificateTargetKey(peer)}`;
  const byPeer = new Map(certificates.map((certificate) => [keyOf(certificate.agentId, certificate.peer), certificate]));
  return ({ agentId, target }) => {
    const peer = tlsPeerOf(target);
    const certificate = peer === undefined ? undefined : byPeer.get(keyOf(agentId, peer));
    if (certificate === undefined || certificate.isTrusted === null) return null;
    if (!certificate.isTrusted) return "certificate_untrusted";
    return expiresSoon(certificate, at) ? "certificate_expiring" : null;
  };
}
