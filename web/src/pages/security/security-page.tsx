import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { INSIGHT_SEVERITIES } from "../../../../src/contract/security.ts";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { isApiError } from "../../api/client.ts";
import { insightsQuery, securitySummaryQuery } from "../../api/security.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { FOLDED } from "../../lists/folds.ts";
import { listSort } from "../../lists/sort.ts";
import { useAllPages } from "../../lists/use-all-pages.ts";
import { useFolds } from "../../lists/use-folds.ts";
import { askedFor, FIRST_ORDER, isNarrowed, pagesOf } from "./filter.ts";
import { UnknownContainers, useSight } from "../../entities/containers/unknown.tsx";
import { FindingList } from "../../entities/security/finding-list.tsx";
import { PostureSection } from "./posture-section.tsx";
import { FINDINGS, summaryWords, FINDING_SEVERITY_WORDS, type FindingSeverity } from "../../entities/security/words.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const route = getRouteApi("/security");
/** So many more are read where all are selected. */
const MOST_PAGES = 50;

/** How exposed containers are: how safe that leaves things, and every finding. */
export function SecurityPage() {
  useRowKeys();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const { data: counts } = useQuery(securitySummaryQuery(host));
  const sight = useSight();
  const summary = sight === "known" ? counts : undefined;
  const sort = listSort(filter, FIRST_ORDER, (next) => void navigate({ search: (search) => ({ ...search, ...next }), resetScroll: false }));
  useTitle(summary === undefined ? "Security" : `Security (${formatCount(summary.unacknowledged.total)})`);
  return (
    <Page>
      <PageHeader
        title="Security"
        note={
          summary && (
            <Link
              to="/security"
              search={filter}
              hash={FINDINGS}
              onClick={scrollToFindings}
              className="underline underline-offset-2 hover:text-ink"
            >
              {summaryWords(summary)}
            </Link>
          )
        }
      >
        <FilterBar summary={summary} sort={sort} />
      </PageHeader>
      <RuntimeNotice />
      {sight === "unknown" ? (
        <UnknownContainers />
      ) : (
        <PostureSection>
          <Section id={FINDINGS} title="Findings" aside={summary && <SeverityCounts counts={summary.unacknowledged.by_severity} />}>
            <Findings key={JSON.stringify(filter)} />
          </Section>
        </PostureSection>
      )}
    </Page>
  );
}

function Findings() {
  const filter = route.useSearch();
  const host = useChosenHost();
  const list = useInfiniteQuery(insightsQuery(askedFor(filter, host), pagesOf(filter)));
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useAllPages(list, pagesOf(filter) === "all");
  const folds = useFolds("findings", FOLDED);
  const { group } = filter;
  const grouping = useMemo(() => (group === undefined ? undefined : { by: group, folds }), [group, folds]);
  const insights = useMemo(() => data?.pages.flatMap((page) => page.insights) ?? [], [data]);
  const total = data?.pages.at(-1)?.total ?? 0;
  const isWanted = useLocation({ select: ({ hash }) => hash === FINDINGS });
  const isLoaded = data !== undefined;
  // The posture above pushes them down as it comes, so that the browser finds nothing to go to.
  useEffect(() => {
    if (isWanted && isLoaded) scrollToFindings();
  }, [isWanted, isLoaded]);
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));

  async function readAll(): Promise<InsightRecord[]> {
    let read = await fetchNextPage();
    for (let page = 0; page < MOST_PAGES && read.hasNextPage && read.error === null; page += 1) read = await fetchNextPage();
    return read.data?.pages.flatMap((page) => page.insights) ?? [];
  }

  return (
    <>
      {hasFailed && (
        <ErrorNote what="Could not load findings." error={error} onRetry={() => void refetch()}>
          Containers are still checked.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {isPending && (
        <div className="mt-2">
          <SkeletonRows count={6} label="Loading findings" />
        </div>
      )}
      {data !== undefined && insights.length === 0 && <NoFindings narrowed={isNarrowed(filter)} />}
      {insights.length > 0 && (
        <FindingList insights={insights} total={total} readAll={hasNextPage ? readAll : undefined} grouping={grouping} />
      )}
      {hasNextPage && (
        <div className="flex items-center gap-3 pt-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? "Loading more" : "Show more"}
          </Button>
          <span className="text-xs text-ink-2 tabular-nums">{countOf(total - insights.length, "more finding")}</span>
        </div>
      )}
    </>
  );
}

function scrollToFindings(): void {
  document.querySelector(`#${FINDINGS}`)?.scrollIntoView();
}

function NoFindings({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <EmptyState title="No results">
        <p>No finding matches the filters.</p>
        <Link to="/security" search={{}} className={buttonClass()}>
          Clear filters
        </Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No findings">
      <p>
        No running container exposes a port on all interfaces or a database port, is privileged or uses host network mode. Containers are
        checked whenever they change.
      </p>
    </EmptyState>
  );
}

/** How many findings of each severity are not acknowledged. */
function SeverityCounts({ counts }: { counts: Readonly<Record<FindingSeverity, number>> }) {
  return (
    <span className="flex items-center gap-4">
      {INSIGHT_SEVERITIES.filter((severity) => severity !== "medium" || counts.medium > 0).map((severity) => {
        const { level, word } = FINDING_SEVERITY_WORDS[severity];
        return (
          <span key={severity} className="inline-flex items-center gap-1.5 tabular-nums">
            <LevelMark level={counts[severity] === 0 ? 0 : level} size={10} />
            {counts[severity]} {word.toLowerCase()}
          </span>
        );
      })}
    </span>
  );
}
