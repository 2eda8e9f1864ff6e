import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** Whether a certificate is for a host name or address, by its alternative names alone. Source: RFC 9525, section 6. */
export function isForHost(certificate: X509Certificate, serverName: string): boolean {
  if (isIP(serverName) !== 0) return certificate.checkIP(serverName) !== undefined;
  const options = {
    subject: "never",
    wildcards: true,
    partialWildcards: false,
    multiLabelWildcards: false,
    singleLabelSubdomains: false,
  } as const;
  return certificate.checkHost(serverName.replace(/\.$/, ""), options) !== undefined;
}
