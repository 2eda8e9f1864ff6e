import { CERTIFICATE_SOURCES, CERTIFICATE_STATUSES, type CertificateSource } from "../../../../src/contract/certificate.ts";
import type { CertificateStatus } from "../../../../src/events.ts";
import { oneOf, someOf, textParam } from "../../app/search-params.ts";

/** What the address of the list says. */
export interface CertificateFilter {
  q?: string | undefined;
  status?: CertificateStatus[] | undefined;
  source?: CertificateSource | undefined;
  /** The form that makes one is open. */
  create?: "yes" | undefined;
}

export function certificateFilter(search: Record<string, unknown>): CertificateFilter {
  return {
    q: textParam(search["q"]),
    status: someOf(search["status"], CERTIFICATE_STATUSES),
    source: oneOf(search["source"], CERTIFICATE_SOURCES),
    create: oneOf(search["create"], ["yes"] as const),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ q, status, source }: CertificateFilter): boolean {
  return q !== undefined || status !== undefined || source !== undefined;
}
