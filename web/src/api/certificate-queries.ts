import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { DAY_MS } from "../../../src/contract/time.ts";
import type { CertificateBody, CertificateChange } from "../../../src/monitoring/certificates/api.ts";
import type { CertificateDetail } from "../../../src/monitoring/certificates/answers.ts";
import { request } from "./client.ts";
import { timeAgo } from "./server-clock.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

const PAGE = 20;

/** What is asked for; what is left out takes its default. */
export type CertificateInput = Partial<CertificateBody> & Pick<CertificateBody, "domain">;

/** All certificates, those that need somebody first: one answer paints the page, filters are applied to it here. */
export const certificatesQuery = queryOptions({
  queryKey: ["certificates"],
  meta: WHOLE_LIST,
  queryFn: ({ client, queryKey, signal }) =>
    readWholeList({
      client,
      queryKey,
      read: (cursor) => request("GET /api/v1/certificates", { query: { cursor }, signal }),
      join: (list, next) => ({ ...next, certificates: [...list.certificates, ...next.certificates] }),
    }),
});

/** One with its last check. Everything read about one has a key that begins with `["certificate", id]`. */
export function certificateQuery(id: number) {
  return queryOptions({
    queryKey: ["certificate", id, "detail"],
    queryFn: ({ signal }) => request("GET /api/v1/certificates/{id}", { params: { id }, signal }),
  });
}

/** Its checks of the last 90 days, newest first, page by page. */
export function certificateChecksQuery(id: number) {
  return infiniteQueryOptions({
    queryKey: ["certificate", id, "checks"],
    queryFn: ({ signal, pageParam: offset }) =>
      request("GET /api/v1/certificates/{id}/checks", {
        params: { id },
        signal,
        query: { since: timeAgo(90 * DAY_MS), limit: PAGE, offset },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
  });
}

/** Watches a host's certificate; resolves with the result of the first check. */
export function createCertificate(body: CertificateInput): Promise<CertificateDetail> {
  return request("POST /api/v1/certificates", { body });
}

export function updateCertificate(id: number, body: Partial<CertificateChange>): Promise<CertificateDetail> {
  return request("PUT /api/v1/certificates/{id}", { params: { id }, body });
}

export function checkCertificateNow(id: number): Promise<CertificateDetail> {
  return request("POST /api/v1/certificates/{id}/check", { params: { id } });
}

/** Watches it no more; its history goes too. */
export function deleteCertificate(id: number): Promise<void> {
  return request("DELETE /api/v1/certificates/{id}", { params: { id } });
}
