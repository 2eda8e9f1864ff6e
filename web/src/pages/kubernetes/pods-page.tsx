import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { NamespaceRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { namespacesQuery, nodesQuery, podsQuery } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { useLater } from "../../ui/forms/use-later.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { clusterChoices, readyWords, sumOf, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { FilterBar, type Narrowing } from "./filter-bar.tsx";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { NoResults } from "./no-results.tsx";
import { podFilter, POD_STATE_WORDS } from "./pod-filter.ts";
import { POD_TITLES, PodRow, COLUMNS } from "./pod-row.tsx";
import { ShowMore } from "./show-more.tsx";
import { useListFilter } from "./use-filter.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { VirtualTable } from "../../lists/virtual-table.tsx";

const NO_NAMESPACES: NamespaceRecord[] = [];

/** The pods of clusters, narrowed by what the address says. There may be thousands: the server narrows them, and they are read page by page. */
export function PodsPage() {
  const list = useListFilter("/kubernetes/pods");
  const host = useChosenHost();
  const q = useLater(list.filter.q, 200);
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    podsQuery({ ...podFilter({ ...list.filter, q }), agent_id: host }),
  );
  const { data: namespaceList } = useQuery(namespacesQuery(host));
  const { data: nodeList } = useQuery(nodesQuery(host));
  const nameOf = useClusterName();

  const items = useMemo(
    () => data?.pages.flatMap(({ pods }) => pods.map((pod) => ({ kind: "row" as const, key: pod.id, pod }))) ?? [],
    [data],
  );
  const last = data?.pages.at(-1);
  const clusters = last?.clusters;
  const total = last?.total ?? 0;
  useTitle(last === undefined ? "Kubernetes pods" : `Kubernetes pods (${formatCount(total)})`);

  const narrowings: Narrowing[] = [
    { name: "cluster", label: "Cluster", choices: clusterChoices(clusters, nameOf) },
    { name: "namespace", label: "Namespace", choices: namespaceChoices(namespaceList?.namespaces ?? NO_NAMESPACES) },
    {
      name: "node",
      label: "Node",
      choices: (nodeList?.nodes ?? []).map(({ name, pods }) => ({
        value: name,
        label: <bdi className="truncate">{name}</bdi>,
        count: pods,
      })),
    },
    { name: "state", label: "State", choices: Object.entries(POD_STATE_WORDS).map(([value, label]) => ({ value, label })) },
  ];

  return (
    <KubernetesFrame
      path="/kubernetes/pods"
      note={
        clusters &&
        (list.narrowed
          ? countOf(total, "pod")
          : `${readyWords(
              sumOf(clusters, ({ pods_ready: ready }) => ready),
              sumOf(clusters, ({ pods }) => pods),
            )} ready`)
      }
      clusters={clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
      filter={
        (items.length > 0 || list.narrowed) && (
          <>
            <FilterBar list={list} narrowings={narrowings} placeholder="Name" />
            <DisplayMenu />
          </>
        )
      }
    >
      {data !== undefined && items.length === 0 && !list.narrowed && (
        <EmptyState title="No pods">
          <p>The agent sees no pod of any workload.</p>
        </EmptyState>
      )}
      {data !== undefined && items.length === 0 && list.narrowed && (
        <NoResults path="/kubernetes/pods">No pod matches the filters.</NoResults>
      )}
      {items.length > 0 && (
        <VirtualTable
          label="Pods"
          items={items}
          columns={COLUMNS}
          head={<ColumnHeads titles={POD_TITLES} />}
          render={({ pod }, index) => <PodRow pod={pod} index={index} />}
        />
      )}
      {hasNextPage && (
        <ShowMore isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()}>
          {`${formatCount(items.length)} of ${countOf(total, "pod")} loaded`}
        </ShowMore>
      )}
    </KubernetesFrame>
  );
}

function namespaceChoices(namespaces: readonly NamespaceRecord[]): Narrowing["choices"] {
  // Clusters may have namespaces of the same name.
  const counts = new Map<string, number>();
  for (const { name, pods } of namespaces) counts.set(name, (counts.get(name) ?? 0) + pods);
  return [...counts].map(([name, count]) => ({ value: name, label: <bdi className="truncate">{name}</bdi>, count }));
}
