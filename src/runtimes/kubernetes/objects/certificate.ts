import { X509Certificate } from "node:crypto";
import type { KubernetesCertificate } from "../../../observations/kubernetes.ts";
import type { SecretAnswer } from "./schemas.ts";
import { namedOf } from "./values.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const MOST_IN_CHAIN = 20;
const MOST_SANS = 200;
const MAX_BYTES = 256 * 1024;

/** The certificate of a Secret of the type kubernetes.io/tls; null where there is none. Its key is not in the answer. */
export function certificateOf({ metadata, data }: SecretAnswer): KubernetesCertificate | null {
  const encoded = data?.["tls.crt"];
  if (encoded == null || encoded.length > MAX_BYTES) return null;
  const chain = chainOf(Buffer.from(encoded, "base64").toString("latin1"));
  const [leaf] = chain;
  if (leaf === undefined) return null;
  return {
    ...namedOf(metadata),
    subject: commonNameOf(leaf.subject),
    sans: (leaf.subjectAltName ?? "")
      .split(", ")
      .filter(Boolean)
      .slice(0, MOST_SANS)
      .map((name) => name.replace(/^[A-Za-z ]+:/, "")),
    issuer: commonNameOf(leaf.issuer),
    notBefore: new Date(leaf.validFrom),
    expiresAt: new Date(leaf.validTo),
    chainError: chainErrorOf(chain),
  };
}

function chainOf(pem: string): X509Certificate[] {
  try {
    return [...pem.matchAll(BLOCK)].slice(0, MOST_IN_CHAIN).map(([block]) => new X509Certificate(block));
  } catch {
    return [];
  }
}

/** Each must be signed by the one after it. Whether the last is trusted, who connects decides. */
function chainErrorOf(chain: readonly X509Certificate[]): string | null {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (issuer === undefined) return null;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      return `The certificate ${commonNameOf(certificate.subject)} is not signed by ${commonNameOf(issuer.subject)}, which follows it.`;
  }
  return null;
}

function commonNameOf(names: string): string {
  return (/^CN=(.+)$/m.exec(names)?.[1] ?? names.replaceAll("\n", ", ")).slice(0, 500);
}
