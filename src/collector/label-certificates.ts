import type { CertificateTarget } from "../observations.ts";
import type { ValueReader } from "./label-table.ts";

const MAX_TARGETS = 50;

/** The peers whose certificates labels ask to be watched: each host at its own port, else at each of the ports. Source: contract, section 1. */
export function certificatesOf(value: ValueReader): CertificateTarget[] {
  const ports = value("certificate.port") ?? [443];
  const targets = new Map<string, CertificateTarget>();
  for (const { host: domain, port } of value("certificate.domain") ?? []) {
    for (const each of port === undefined ? ports : [port]) targets.set(`${domain} ${each}`, { domain, port: each, serverName: domain });
  }
  return [...targets.values()].slice(0, MAX_TARGETS);
}
