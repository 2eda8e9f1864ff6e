import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/answers.ts";
import { certificatesQuery } from "../../../api/certificate-queries.ts";
import { endpointSparklinesQuery, endpointsQuery } from "../../../api/endpoint-queries.ts";
import { useMedia } from "../../../app/use-media.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { CertificateRow } from "../../../entities/certificates/certificate-row.tsx";
import { EndpointRow } from "../../../entities/endpoints/endpoint-row.tsx";
import { EndpointLabels } from "../../../entities/endpoints/no-endpoints.tsx";
import { ROWS_CLASS } from "../../../lists/row-class.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Section } from "../../../ui/section.tsx";

/** The endpoints and certificates that a container's labels name. The lists hold them all, and events keep those right. */
export function ChecksTab({ container }: { container: ContainerDetail }) {
  useRowKeys();
  const withBars = useMedia("(min-width: 90rem)");
  const endpoints = useQuery(endpointsQuery({ inactive: container.archived_at !== null }));
  const certificates = useQuery(certificatesQuery);
  const { data: lines } = useQuery(endpointSparklinesQuery);
  const its = useMemo(
    () => endpoints.data?.endpoints.filter(({ container_id }) => container_id === container.id),
    [endpoints.data, container.id],
  );
  const ids = new Set(its?.map(({ id }) => id));
  const itsCertificates = certificates.data?.certificates.filter(
    ({ container_id, endpoint_id }) => container_id === container.id || (endpoint_id !== null && ids.has(endpoint_id)),
  );
  const failed = [endpoints, certificates].find(({ data, error }) => data === undefined && error !== null);

  if (failed !== undefined) {
    return (
      <ErrorNote what="Could not load checks." error={failed.error} onRetry={() => void failed.refetch()}>
        Monitoring continues.
      </ErrorNote>
    );
  }
  if (its === undefined || itsCertificates === undefined) {
    return (
      <div className="mt-8">
        <SkeletonRows count={4} label="Loading checks" />
      </div>
    );
  }
  if (its.length === 0 && itsCertificates.length === 0) {
    return (
      <EmptyState title={container.archived_at === null ? "No checks" : "No checks"}>
        <p>Add a label to check a URL or TCP port while the container runs:</p>
        <EndpointLabels />
      </EmptyState>
    );
  }
  return (
    <>
      {its.length > 0 && (
        <Section title="Endpoints">
          <div role="table" aria-label="Endpoints" className={classNames("-mt-px", ROWS_CLASS)}>
            {its.map((endpoint, index) => (
              <div key={endpoint.id} role="presentation" className="h-(--row-narrow) md:h-(--row)">
                <EndpointRow endpoint={endpoint} index={index} points={lines?.endpoints[endpoint.id]?.points} withBars={withBars} />
              </div>
            ))}
          </div>
        </Section>
      )}
      {itsCertificates.length > 0 && (
        <Section title="Certificates">
          <div role="table" aria-label="Certificates" className={classNames("-mt-px", ROWS_CLASS)}>
            {itsCertificates.map((certificate, index) => (
              <CertificateRow key={certificate.id} certificate={certificate} index={index} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}
