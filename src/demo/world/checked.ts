import { DAY_MS } from "../../contract/time.ts";
import type { CertificateScan, CertificateTarget, CheckResult } from "../../observations.ts";
import { hexOf, noise, seedOf } from "./noise.ts";
import type { Moment } from "./shown.ts";

/** What a check of an address shows at a moment: payments do not answer since their update, and checkout needs them. */
export function checkedAt(target: string, { atMs, updatedMs }: Moment): CheckResult {
  const url = URL.parse(target.includes("://") ? target : `tcp://${target}`);
  const certificate = url?.protocol === "https:" ? { trusted: true, expiresAt: certificateExpiresAt(url.hostname, updatedMs) } : null;
  const httpStatus = url?.protocol === "tcp:" ? null : statusOf(target, atMs >= updatedMs);
  const answered = { observed: true, responseTimeMs: responseMs(target, atMs), httpStatus, certificate };
  if (httpStatus === null || httpStatus === 200) return { ...answered, success: true, failureClass: null, error: null };
  return { ...answered, success: false, failureClass: "http", error: `status ${httpStatus}, expected 2xx` };
}

function statusOf(target: string, isOutage: boolean): number {
  if (!isOutage) return 200;
  if (target.includes("/payments/")) return 502;
  return target.includes("/checkout/") ? 503 : 200;
}

/** In milliseconds: different for each address, and now and then a slow one. */
export function responseMs(target: string, atMs: number): number {
  const seed = seedOf(target);
  const step = Math.floor(atMs / 30_000);
  const usual = 14 + (seed % 70);
  const slow = noise(seed, 1, step) > 0.985 ? 4 : 1;
  return Math.round(usual * slow * (0.8 + 0.5 * noise(seed, 2, step)) * 10) / 10;
}

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
