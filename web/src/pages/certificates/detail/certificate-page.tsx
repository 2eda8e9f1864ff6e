import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CertificateDetail } from "../../../../../src/monitoring/certificates/answers.ts";
import { certificateQuery } from "../../../api/certificate-queries.ts";
import { isApiError } from "../../../api/client.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { CERTIFICATE_WORDS } from "../../../format/certificate-status.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { addressOf } from "../../../entities/certificates/address.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { CertificateFacts } from "./certificate-facts.tsx";
import { CertificateHeader } from "./certificate-header.tsx";
import { Chain } from "./chain.tsx";
import { CertificateChecks } from "./checks.tsx";
import { WatchForm } from "./watch-form.tsx";

const route = getRouteApi("/certificates/$id");

/** One certificate: how long it holds, what is wrong with it, and its chain. */
export function CertificatePage() {
  useRowKeys();
  const { id } = route.useParams();
  const isId = Number.isSafeInteger(id);
  const { data, error, refetch } = useQuery({ ...certificateQuery(id), enabled: isId });
  useTitle(data === undefined ? `Certificate ${id}` : titleOf(data));

  if (!isId || isApiError(error, "not_found") || isApiError(error, "invalid_request")) return <NoSuchCertificate />;
  if (data !== undefined) return <Known key={id} detail={data} />;
  return (
    <Page>
      {error === null ? (
        <div role="status" aria-label="Loading certificate">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2 h-6 w-56" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full" />
          <Skeleton className="mt-8 h-48 w-full" />
        </div>
      ) : (
        <ErrorNote what="Could not load the certificate." error={error} onRetry={() => void refetch()}>
          Monitoring continues and its history is kept.
        </ErrorNote>
      )}
    </Page>
  );
}

function titleOf({ certificate }: CertificateDetail): string {
  const { word } = CERTIFICATE_WORDS[certificate.status];
  return `${addressOf(certificate)}: ${word.toLowerCase()}`;
}

function Known({ detail: { certificate, latest_check: check } }: { detail: CertificateDetail }) {
  return (
    <Page>
      <CertificateHeader certificate={certificate} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-2">
        <Section title="Chain" aside="Leaf to root">
          {check === null || check.chain.length === 0 ? (
            <p className="py-4 text-ink-2">{check === null ? "No certificate received yet." : "The last check received no certificate."}</p>
          ) : (
            <Chain check={check} />
          )}
        </Section>
        <Section title="Facts">
          <CertificateFacts certificate={certificate} check={check} />
        </Section>
      </div>
      <WatchForm key={certificate.updated_at} certificate={certificate} />
      <CertificateChecks id={certificate.id} />
    </Page>
  );
}

function NoSuchCertificate() {
  return (
    <NoSuchThing kind="Certificate" to="/certificates" list="certificates">
      The monitor was deleted, or its endpoint or label was removed.
    </NoSuchThing>
  );
}
