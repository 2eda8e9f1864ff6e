import { useInfiniteQuery } from "@tanstack/react-query";
import type { CertificateCheckRecord } from "../../../../../src/monitoring/certificates/answers.ts";
import { certificateChecksQuery } from "../../../api/certificate-queries.ts";
import { CERTIFICATE_WORDS, daysWords } from "../../../format/certificate-status.ts";
import { countOf } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** What the looks at a certificate saw, newest first. */
export function CertificateChecks({ id }: { id: number }) {
  const query = useInfiniteQuery(certificateChecksQuery(id));
  const checks = query.data?.pages.flatMap((page) => page.checks) ?? [];
  const total = query.data?.pages[0]?.total;
  return (
    <Section title="History" aside={total !== undefined && countOf(total, "check")}>
      {query.data === undefined && query.error === null && <SkeletonRows count={3} label="Loading history" />}
      {query.data === undefined && query.error !== null && (
        <ErrorNote what="Could not load the history." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {total === 0 && <p className="py-4 text-ink-2">Not checked yet.</p>}
      <ul aria-label="Checks">
        {checks.map((check) => (
          <li
            key={check.id}
            className="grid min-h-9 grid-cols-[8.5rem_minmax(0,1fr)] items-baseline gap-x-4 border-b border-line py-2 text-sm max-sm:grid-cols-1"
          >
            <span className="text-ink-2">
              <Timestamp at={check.checked_at} />
            </span>
            <span className="inline-flex min-w-0 items-baseline gap-2">
              <StatusIcon status={CERTIFICATE_WORDS[check.status].status} size={10} className="translate-y-px" />
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {checkWords(check)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button className="mt-3" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading older checks" : "Show older checks"}
        </Button>
      )}
      {query.isFetchNextPageError && (
        <ErrorNote what="Could not load older checks." error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
    </Section>
  );
}

function checkWords({ status, days_until_expiry, error, chain_error }: CertificateCheckRecord): string {
  const days = daysWords(days_until_expiry);
  return [CERTIFICATE_WORDS[status].word, days, error ?? chain_error].filter((part) => part !== undefined && part !== null).join(" · ");
}
