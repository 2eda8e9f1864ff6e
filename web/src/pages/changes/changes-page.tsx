import { useInfiniteQuery, infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { request } from "../../api/client.ts";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { formatCount } from "../../format/number.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ChangeRow, LoopRow } from "./change-row.tsx";
import { ChangesBar } from "./changes-bar.tsx";
import type { ChangesFilter } from "./filter.ts";
import { foldChanges } from "./fold-changes.ts";

const route = getRouteApi("/changes");

/** What changed between two moments, over everything: the answer to "what happened at 09:00?". */
export function ChangesPage() {
  useRowKeys();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const host = useChosenHost();
  const withHost = useNamesHosts();
  const isBackwards = filter.since !== undefined && filter.until !== undefined && filter.since > filter.until;
  const query = useInfiniteQuery({ ...changesQuery(filter, host), enabled: !isBackwards });
  const { data, error } = query;
  const first = data?.pages[0];
  const changes = useMemo(() => data?.pages.flatMap((page) => page.changes) ?? [], [data]);
  const rows = useMemo(() => foldChanges(changes), [changes]);
  const since = filter.since ?? first?.from;
  const until = filter.until ?? first?.to;
  const kinds = filter.kind ?? [];
  const count = `${formatCount(changes.length)}${query.hasNextPage ? "+" : ""}`;
  useTitle("What changed");

  return (
    <Page>
      <PageHeader title="What changed" note={first && !isBackwards && `${count} ${changes.length === 1 ? "change" : "changes"}`} />
      <ChangesBar {...{ since, until, kinds, isBackwards }} />
      {!isBackwards && error !== null && (
        <ErrorNote what="Could not load what changed." error={error} onRetry={() => void query.refetch()}>
          {data !== undefined && "The changes below may be out of date."}
        </ErrorNote>
      )}
      {query.isPending && !isBackwards && <SkeletonRows count={12} label="Loading changes" />}
      {first !== undefined && !isBackwards && (
        <div className={classNames(query.isPlaceholderData && "opacity-60")}>
          {changes.length === 0 ? (
            <NothingChanged
              isNarrowed={kinds.length > 0}
              onWiden={() => void navigate({ search: (search) => ({ ...search, kind: undefined }) })}
            />
          ) : (
            <ul aria-label="Changes" className="border-t border-line">
              {rows.map(({ change, repeated }) =>
                repeated === undefined ? (
                  <ChangeRow key={`${change.kind} ${change.record.id} ${change.at}`} change={change} withHost={withHost} />
                ) : (
                  <LoopRow key={`loop ${change.entity.id}`} change={change} repeated={repeated} withHost={withHost} />
                ),
              )}
            </ul>
          )}
          {query.hasNextPage && (
            <Button className="mt-3" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {query.isFetchingNextPage ? "Loading older changes" : "Show older changes"}
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

function NothingChanged({ isNarrowed, onWiden }: { isNarrowed: boolean; onWiden: () => void }) {
  if (!isNarrowed)
    return (
      <EmptyState title="Nothing changed">
        <p>No container, alert, certificate, update, agent or incident changed between these moments.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No results">
      <p>Nothing of the chosen kinds changed between these moments.</p>
      <Button onClick={onWiden}>Show all kinds</Button>
    </EmptyState>
  );
}

const PAGE = 100;

interface Next {
  cursor: string | undefined;
  /** Where the first page ended: pages join only for the same moments. */
  to: string | undefined;
}

/** What changed between two moments, newest first. As long as it goes up to now, it is read again as alerts change. */
function changesQuery({ since, until, kind }: ChangesFilter, host: string | undefined) {
  const first: Next = { cursor: undefined, to: until };
  return infiniteQueryOptions({
    queryKey: [...(until === undefined ? ["alerts"] : []), "changes", since, until, kind?.join(), host],
    queryFn: ({ signal, pageParam: { cursor, to } }) =>
      request("GET /api/v1/overview/changes", { signal, query: { from: since, to, kind, agent_id: host, limit: PAGE, cursor } }),
    initialPageParam: first,
    getNextPageParam: ({ next_cursor: cursor, to }): Next | undefined => (cursor === null ? undefined : { cursor, to }),
    placeholderData: keepPreviousData,
  });
}
