import { useInfiniteQuery } from "@tanstack/react-query";
import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { checksQuery } from "../../../api/endpoint-queries.ts";
import { countOf } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { CheckWords } from "./check-words.tsx";

/** The results of its checks, newest first. */
export function CheckList({ endpoint }: { endpoint: EndpointDetail }) {
  const query = useInfiniteQuery(checksQuery(endpoint.id));
  const checks = query.data?.pages.flatMap((page) => page.checks) ?? [];
  const total = query.data?.pages[0]?.total;
  return (
    <Section
      title="Checks"
      aside={
        total !== undefined && (
          <span className="tabular-nums">
            {countOf(total, "check")} in {KEPT_DAYS.endpointChecks} days
          </span>
        )
      }
    >
      {query.data === undefined && query.error === null && <SkeletonRows count={8} label="Loading checks" />}
      {query.data === undefined && query.error !== null && (
        <ErrorNote what="Could not load checks." error={query.error} onRetry={() => void query.refetch()}>
          Monitoring continues.
        </ErrorNote>
      )}
      {total === 0 && <p className="py-4 text-ink-2">Not checked yet.</p>}
      <ul aria-label="Checks">
        {checks.map((check) => (
          <li
            key={check.timestamp}
            className="grid min-h-9 grid-cols-[8.5rem_minmax(0,1fr)] items-baseline gap-x-4 border-b border-line py-2 text-sm max-sm:grid-cols-1"
          >
            <span className="text-ink-2">
              <Timestamp at={check.timestamp} />
            </span>
            <CheckWords check={check} />
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
