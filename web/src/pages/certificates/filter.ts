import type { CertificateStatus } from "../../../../src/events.ts";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/api.ts";
import { oneOf, someOf, textParam } from "../../app/search-params.ts";
import { CERTIFICATE_WORDS } from "../../format/certificate-status.ts";

/** From worst to best, as menus list them. */
export const FILTER_STATUSES = ["expired", "chain_invalid", "unreachable", "expiring", "unknown", "valid"] as const;
export const SOURCES = ["standalone", "endpoint", "label"] as const;

/** What the address of the list says. */
export interface CertificateFilter {
  q?: string | undefined;
  status?: CertificateStatus[] | undefined;
  source?: CertificateRecord["source"] | undefined;
  /** The form that makes one is open. */
  create?: "yes" | undefined;
}

export function certificateFilter(search: Record<string, unknown>): CertificateFilter {
  return {
    q: textParam(search["q"]),
    status: someOf(search["status"], FILTER_STATUSES),
    source: oneOf(search["source"], SOURCES),
    create: oneOf(search["create"], ["yes"] as const),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status, source }: CertificateFilter): boolean {
  return q !== undefined || status !== undefined || source !== undefined;
}

/** What the filter and the chosen host leave, in the order in which the server tells them: those that need somebody first. */
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

/** `expired`, `3 chosen`, `any`. */
export function tellStatuses(statuses: readonly CertificateStatus[]): string {
  const [first, ...others] = statuses;
  if (first === undefined) return "any";
  return others.length === 0 ? CERTIFICATE_WORDS[first].word.toLowerCase() : `${statuses.length} chosen`;
}
