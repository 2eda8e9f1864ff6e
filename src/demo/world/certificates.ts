import { DAY_MS } from "../../contract/time.ts";
import type { CertificateScan, CertificateTarget } from "../../observations.ts";
import { hexOf, seedOf } from "./noise.ts";

const LIFE_DAYS = 90;
/** Days that are left of those that are not renewed in time. */
const SHORT: Readonly<Record<string, number>> = { "vault.harbour.example": 6 };
const ISSUER = "CN=R11, O=Let's Encrypt, C=US";
const ROOT = "CN=ISRG Root X1, O=Internet Security Research Group, C=US";

export function certificateExpiresAt(domain: string, updatedMs: number): Date {
  const days = SHORT[domain] ?? 31 + (seedOf(domain) % 50);
  return new Date(Math.floor(updatedMs / DAY_MS) * DAY_MS + days * DAY_MS + (seedOf(domain) % 80_000) * 1000);
}

/** What a TLS peer of the demo shows. */
export function scanOf({ domain }: CertificateTarget, { updatedMs }: { updatedMs: number }): CertificateScan {
  const expiresAt = certificateExpiresAt(domain, updatedMs);
  const notBefore = new Date(expiresAt.getTime() - LIFE_DAYS * DAY_MS);
  const subject = `CN=${domain}`;
  return {
    error: null,
    leaf: {
      subject,
      issuer: ISSUER,
      issuerOrg: "Let's Encrypt",
      sans: [domain],
      serialNumber: hexOf(`serial ${domain}`).slice(0, 36),
      fingerprintSha256: hexOf(`leaf ${domain} ${expiresAt.toISOString()}`),
      keyType: "EC P-256",
      signatureAlgorithm: "sha256WithRSAEncryption",
      notBefore,
      expiresAt,
    },
    chain: [
      { subject, issuer: ISSUER, notBefore, expiresAt, error: null },
      {
        subject: ISSUER,
        issuer: ROOT,
        notBefore: new Date("2024-03-13T00:00:00Z"),
        expiresAt: new Date("2027-03-12T23:59:59Z"),
        error: null,
      },
    ],
    chainValid: true,
    chainError: null,
    hostnameMatch: true,
    ocsp: null,
  };
}
