import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";

/** `shop.example.com:443`, and for whom it is asked where that is another name. */
export function addressOf({ domain, port, server_name }: Pick<CertificateRecord, "domain" | "port" | "server_name">): string {
  const host = domain.includes(":") ? `[${domain}]` : domain;
  return `${host}:${port}${server_name === domain ? "" : ` as ${server_name}`}`;
}

/** What is wrong, for a row that begins with the address and the status: `refused the connection.` Null when nothing is. */
export function briefMessage({ message, domain, port }: Pick<CertificateRecord, "message" | "domain" | "port">): string | null {
  const known = [`${domain}:${port} `, "It expires ", "It expired "].find((beginning) => message?.startsWith(beginning));
  return known === undefined || message === null ? message : message.slice(known.length);
}
