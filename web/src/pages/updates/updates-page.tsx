import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import type { UpdateSummary } from "../../../../src/monitoring/updates/answers.ts";
import { isApiError } from "../../api/client.ts";
import { updatesQuery, updateSummaryQuery } from "../../api/updates.ts";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useTitle } from "../../app/use-title.ts";
import { UnknownContainers, useSight } from "../../entities/containers/unknown.tsx";
import { countOf, formatCount } from "../../format/number.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { FOLDED } from "../../lists/folds.ts";
import { listSort } from "../../lists/sort.ts";
import { useAllPages } from "../../lists/use-all-pages.ts";
import { useFolds, type Folds } from "../../lists/use-folds.ts";
import { FilterBar } from "./filter-bar.tsx";
import { askedOf, FIRST_ORDER, isNarrowed, pagesOf } from "./filter.ts";
import { EditionGate } from "../../entities/updates/gate.tsx";
import { isScanFault, ScanButton, ScanLine, useScan } from "./scan-line.tsx";
import { UpdateTable } from "./update-table.tsx";
import { useActs } from "../../entities/updates/use-acts.tsx";
import { useInsightGrants } from "../../entities/updates/use-grants.ts";
import { summaryWords, totalsOf } from "../../entities/updates/words.ts";

const route = getRouteApi("/updates");
const UpdateDrawer = lazy(() => import("./update-drawer.tsx").then((module) => ({ default: module.UpdateDrawer })));
const PageDialog = lazy(() => import("./page-dialog.tsx").then((module) => ({ default: module.PageDialog })));

/** What containers run and could run: what to do next first, and how to do it. */
export function UpdatesPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const { data: counted } = useQuery(updateSummaryQuery(host));
  const sight = useSight();
  const summary = sight === "known" ? counted : undefined;
  const scan = useScan();
  const folds = useListFolds();
  const sort = useListSort();
  useTitle(summary === undefined ? "Updates" : `Updates (${formatCount(totalsOf(summary.counts).available)})`);

  function close(): void {
    void navigate({ search: (search) => ({ ...search, view: undefined }), replace: true, resetScroll: false });
  }

  return (
    <Page>
      <PageHeader
        title="Updates"
        note={
          // On a phone it takes a line or two, whose place is kept.
          <span className="block max-sm:min-h-10 max-sm:w-[calc(100vw-2rem)]">{summary !== undefined && summaryWords(summary)}</span>
        }
      >
        <FilterBar summary={summary} sort={sort} />
        <DisplayMenu folds={folds} />
        <ScanButton isScanning={summary?.scanning != null} isStarting={scan.isPending} onScan={() => scan.mutate()} />
      </PageHeader>
      <RuntimeNotice />
      <ScanLine summary={summary} />
      {isScanFault(scan.error) && <ErrorNote what="Could not start the scan." error={scan.error} />}
      {sight === "unknown" ? <UnknownContainers /> : <Rows folds={folds} />}
      <Suspense>
        {filter.view !== undefined && <PageDialog view={filter.view} scan={summary?.last_scan ?? null} onClose={close} />}
      </Suspense>
    </Page>
  );
}

/** Which groups are folded; undefined while the list has none. */
function useListFolds(): Folds | undefined {
  const filter = route.useSearch();
  const byStatus = useFolds("updates");
  const byImage = useFolds("update-images", FOLDED);
  if (filter.group === "image") return byImage;
  // What was looked for is not hidden.
  return filter.sort !== undefined || isNarrowed(filter) ? undefined : byStatus;
}

function useListSort() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return listSort(filter, FIRST_ORDER, (next) => void navigate({ search: (search) => ({ ...search, ...next }), resetScroll: false }));
}

function Rows({ folds }: { folds: Folds | undefined }) {
  const { show, ...filter } = route.useSearch();
  const sort = useListSort();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const withHost = useNamesHosts();
  const { risk, cves, isAsked, edition } = useInsightGrants();
  const { data: summary } = useQuery(updateSummaryQuery(host));
  const list = useInfiniteQuery(updatesQuery(askedOf(filter, host), pagesOf(filter)));
  const { data: read, error, isPlaceholderData, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useAllPages(list, pagesOf(filter) === "all");
  const { act, fault, dialog } = useActs();
  // Which columns there are depends on the edition: what comes first waits for the other. Rows are drawn in slices, between which the browser takes keys.
  const data = useDeferredValue(isAsked ? undefined : read);
  const updates = useMemo(() => data?.pages.flatMap((page) => page.updates) ?? [], [data]);
  const total = data?.pages.at(-1)?.total ?? 0;
  // While the server is out of reach, the notice above the page says so.
  const hasFailed = error !== null && (data === undefined || !isApiError(error, "unreachable"));

  return (
    <>
      {hasFailed && (
        <ErrorNote what="Could not load updates." error={error} onRetry={() => void refetch()}>
          Scans continue.{data !== undefined && " The data below may be out of date."}
        </ErrorNote>
      )}
      {fault}
      {data === undefined && error === null && (
        <div className="mt-8">
          <SkeletonRows count={12} label="Loading updates" />
        </div>
      )}
      {data !== undefined && updates.length === 0 && <NoUpdates narrowed={isNarrowed(filter)} host={host} summary={summary} />}
      {updates.length > 0 && (
        <div className={isPlaceholderData ? "opacity-60" : undefined}>
          <UpdateTable
            updates={updates}
            sort={sort}
            byImage={filter.group === "image"}
            folds={folds}
            layout={risk || cves ? "rated" : "plain"}
            withHost={withHost}
            isCut={hasNextPage}
            onAct={act}
          />
        </div>
      )}
      {hasNextPage && (
        <div className="flex items-center gap-3 pt-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? "Loading more" : "Show more"}
          </Button>
          <span className="text-xs text-ink-2 tabular-nums">{countOf(total - updates.length, "more container")}</span>
        </div>
      )}
      {!(risk && cves) && updates.length > 0 && (
        <EditionGate edition={edition} what="Risk and vulnerabilities">
          a risk score for each container, its known vulnerabilities and which the update fixes, and the changelog. Available updates and
          commands are part of every edition.
        </EditionGate>
      )}
      {dialog}
      {show !== undefined && (
        <Suspense>
          <UpdateDrawer
            key={show}
            id={show}
            row={updates.find(({ container_id }) => container_id === show)}
            onClose={() => void navigate({ search: (search) => ({ ...search, show: undefined }), replace: true, resetScroll: false })}
          />
        </Suspense>
      )}
    </>
  );
}

/** No row to show: because of the filter, because nobody has looked yet, or because there is no container. */
function NoUpdates({ narrowed, host, summary }: { narrowed: boolean; host: string | undefined; summary: UpdateSummary | undefined }) {
  if (narrowed || host !== undefined) {
    return (
      <EmptyState title="No results">
        <p>No container {narrowed ? "matches the filters" : "of the chosen host has been checked"}.</p>
        <Link to="/updates" search={narrowed ? {} : { agent_id: undefined }} className={buttonClass()}>
          {narrowed ? "Clear filters" : "Show all hosts"}
        </Link>
      </EmptyState>
    );
  }
  const isFirst = summary === undefined || summary.last_scan_at === null;
  return (
    <EmptyState title={isFirst ? "No update scan yet" : "No containers to check"}>
      <p>
        Registries are checked for newer images: by version where the tag is a version, by digest for tags such as{" "}
        <code className="font-mono text-xs text-ink">latest</code>. Nothing is updated automatically; you get the commands. Container labels
        control what counts:
      </p>
      <CommandLine
        command={`labels:\n  service.update.track: minor        # no new major versions\n  service.update.pin: "16"           # stay at this tag\n  service.update.tag-exclude: "-rc"  # tags that do not count`}
      />
      {!isFirst && (
        <Link to="/containers" className={buttonClass()}>
          Go to containers
        </Link>
      )}
    </EmptyState>
  );
}
