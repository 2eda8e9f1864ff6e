import type { X509Certificate } from "node:crypto";
import { isSelfSigned, isSignedBy } from "./certificate.ts";
import type { Trust } from "./trust.ts";

/** A way from the leaf upwards. */
export interface Path {
  certificates: X509Certificate[];
  /**
   * - `trusted`: the last one is trusted by itself.
   * - `stranger`: the last one is self-signed, and not trusted.
   * - `missing`: who issued the last one is neither sent nor trusted.
   */
  end: "trusted" | "stranger" | "missing";
}

export type Anchors = Pick<Trust, "issuersOf" | "includes">;

const MAX_DEPTH = 12;
/** A server may send many certificates of one name to make us search for long. */
const MAX_STEPS = 200;

/**
 * The best way from the leaf to a trusted certificate, over those that were sent: one that is trusted before one that is not, then the one with
 * the fewest faults, then the shortest. Trusted issuers are preferred to sent ones of the same name. Source: RFC 5280, section 6; RFC 4158.
 */
export function findPath(sent: readonly X509Certificate[], anchors: Anchors, countFaults: (path: Path) => number): Path {
  const [leaf] = sent;
  if (leaf === undefined) throw new Error("no certificate");
  let best: { path: Path; rank: number } | undefined;
  let steps = 0;

  function offer(path: Path): void {
    const rank = (path.end === "trusted" ? 0 : 1_000_000) + countFaults(path) * 1000 + path.certificates.length;
    if (best === undefined || rank < best.rank) best = { path, rank };
  }

  function climb(certificates: X509Certificate[], top: X509Certificate): void {
    steps += 1;
    if (anchors.includes(top)) return offer({ certificates, end: "trusted" });
    if (isSelfSigned(top)) return offer({ certificates, end: "stranger" });
    const above = certificates.length < MAX_DEPTH && steps < MAX_STEPS ? issuersOf(top, sent, anchors) : [];
    const fresh = above.filter((each) => !certificates.some(({ raw }) => raw.equals(each.raw)));
    if (fresh.length === 0) return offer({ certificates, end: "missing" });
    for (const issuer of fresh) climb([...certificates, issuer], issuer);
  }

  climb([leaf], leaf);
  return best?.path ?? { certificates: [leaf], end: "missing" };
}

/** Those whose key signed it; if there are none, those sent that only claim its issuer's name, so that the false claim can be reported. */
function issuersOf(certificate: X509Certificate, sent: readonly X509Certificate[], anchors: Anchors): X509Certificate[] {
  const namesakes = sent.filter(({ subject }) => subject === certificate.issuer);
  const signers = [...anchors.issuersOf(certificate), ...namesakes].filter((each) => isSignedBy(certificate, each));
  return signers.length > 0 ? signers : namesakes;
}
