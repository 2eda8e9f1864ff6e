import type { CertificateCheckRecord } from "../../../../../src/monitoring/certificates/answers.ts";

/** One certificate of a chain as it is drawn. */
export interface ChainPart {
  position: number;
  /** `Host`, `Intermediate`, `Root`. */
  role: string;
  name: string;
  issuer: string | null;
  notBefore: string | null;
  expiresAt: string | null;
  error: string | null;
  isLast: boolean;
  /** The line to the next one does not hold. */
  isLinkBroken: boolean;
  /** It was not sent, and is not known. */
  isMissing: boolean;
}

/** The chain from leaf to root. A chain that ends before a root says whose certificate is missing. */
export function chainLinks({ chain }: Pick<CertificateCheckRecord, "chain">): ChainPart[] {
  const links = chain.toSorted((one, other) => one.position - other.position);
  const last = links.at(-1);
  // In the words of the scan: another fault of the last one, such as its expiry, does not break the chain there.
  const isEndMissing = last?.error?.includes("neither sent nor trusted") === true;
  const parts = links.map(({ position, subject, issuer, not_before, expires_at, error }, index): ChainPart => {
    const next = links[index + 1];
    const isRoot = issuer === subject;
    const isOnlyRoot = isRoot && index === 0;
    return {
      position,
      role: isOnlyRoot ? "Leaf, self-signed" : index === 0 ? "Host" : isRoot ? "Root" : "Intermediate",
      name: commonName(subject),
      issuer: isRoot ? null : commonName(issuer),
      notBefore: not_before,
      expiresAt: expires_at,
      error,
      isLast: next === undefined && !isEndMissing,
      isLinkBroken: next === undefined ? isEndMissing : next.subject !== issuer || error?.includes("signature") === true,
      isMissing: false,
    };
  });
  if (!isEndMissing || last === undefined) return parts;
  const missing = { role: "Missing or untrusted", name: commonName(last.issuer), issuer: null, notBefore: null, expiresAt: null };
  return [...parts, { position: last.position + 1, ...missing, error: null, isLast: true, isLinkBroken: false, isMissing: true }];
}

/** `R11` of `CN=R11, O=Let's Encrypt, C=US`; the whole where it has no common name. */
export function commonName(distinguishedName: string): string {
  return /(?:^|[,\n/]\s*)CN\s*=\s*([^,\n]+)/.exec(distinguishedName)?.[1]?.trim() ?? distinguishedName;
}
