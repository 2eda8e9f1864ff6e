import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";

/** `shop.example.com:443`, and for whom it is asked where that is another name. */
export function addressOf({ domain, port, server_name }: Pick<CertificateRecord, "domain" | "port" | "server_name">): string {
  const host = domain.includes(":") ? `[${domain}]` : domain;
  return `${host}:${port}${server_name === domain ? "" : ` as ${server_name}`}`;
}
