import { X509Certificate } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/** Whom this program trusts as a TLS client. Read when first needed, and then kept. */
export interface Trust {
  /** Those of the trusted certificates whose subject is the issuer of this one. */
  issuersOf(certificate: X509Certificate): X509Certificate[];
  includes(certificate: X509Certificate): boolean;
  /** For clients: `strict` refuses weak keys, hashes and protocols, `lenient` speaks with every peer. */
  context(kind: "strict" | "lenient"): SecureContext;
}

/**
 * The roots of Node and of the system, and further ones as PEM: authorities, or single certificates that are trusted by themselves.
 * Throws when the further ones are not certificates.
 */
export function createTrust({
  extraRootsPem = "",
  systemRoots = commonRoots,
}: { extraRootsPem?: string | undefined; systemRoots?: () => string[] } = {}): Trust {
  const extra = certificatesIn(extraRootsPem);
  let bySubject: Map<string, X509Certificate[]> | undefined;
  const contexts = new Map<string, SecureContext>();
  let pems: string[] | undefined;

  function allPems(): string[] {
    return (pems ??= [...new Set([...extra.map((each) => each.toString()), ...systemRoots()].map((pem) => pem.trim()))]);
  }

  function known(): Map<string, X509Certificate[]> {
    if (bySubject !== undefined) return bySubject;
    bySubject = new Map();
    for (const pem of allPems()) {
      const certificate = new X509Certificate(pem);
      const namesakes = bySubject.get(certificate.subject);
      if (namesakes === undefined) bySubject.set(certificate.subject, [certificate]);
      else namesakes.push(certificate);
    }
    return bySubject;
  }

  return {
    issuersOf: ({ issuer }) => known().get(issuer) ?? [],
    includes: (certificate) => (known().get(certificate.subject) ?? []).some(({ raw }) => raw.equals(certificate.raw)),
    context(kind) {
      const made =
        contexts.get(kind) ??
        createSecureContext({
          ca: allPems(),
          allowPartialTrustChain: true,
          ...(kind === "lenient" ? { ciphers: "DEFAULT@SECLEVEL=0", minVersion: "TLSv1" } : {}),
        });
      contexts.set(kind, made);
      return made;
    },
  };
}

/** Both, since a container image may have no roots, and a company's root may be in the system's store alone. */
function commonRoots(): string[] {
  return [...getCACertificates("default"), ...getCACertificates("system")];
}

/** The certificates of a PEM text, at least one unless it is empty. */
function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g) ?? [];
  if (pem.trim() !== "" && blocks.length === 0) throw new Error("has no certificate in PEM form");
  return blocks.map((block) => new X509Certificate(block));
}
