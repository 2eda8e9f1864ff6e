import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import type { CertificateFilter } from "./search.ts";

/** What the filter and the chosen host leave, in the order of the server: those that need somebody first. */
export function applyFilter(
  certificates: readonly CertificateRecord[],
  filter: CertificateFilter & { host?: string | undefined },
): readonly CertificateRecord[] {
  const text = filter.q?.toLowerCase();
  const agentId = filter.host === "local" ? null : filter.host;
  return certificates.filter(
    ({ agent_id, status, source, domain, server_name, issuer, issuer_org }) =>
      (agentId === undefined || agent_id === agentId) &&
      (filter.status === undefined || filter.status.includes(status)) &&
      (filter.source === undefined || source === filter.source) &&
      (text === undefined || [domain, server_name, issuer, issuer_org].some((each) => each?.toLowerCase().includes(text))),
  );
}
