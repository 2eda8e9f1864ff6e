import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import type { WorkloadRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { workloadsQuery } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { needsAttention, WORKLOAD_STATE_WORDS } from "../../format/kubernetes-status.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { clusterChoices, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { countedChoices, FilterBar } from "./filter-bar.tsx";
import { ATTENTION, filterWorkloads, workloadItems, type WorkloadItem, type NamespaceItem } from "./groups.ts";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { type Fold, GroupHead } from "../../lists/group-head.tsx";
import { useFolds } from "../../lists/use-folds.ts";
import { DisplayMenu } from "../../lists/display-menu.tsx";
import { NoResults } from "./no-results.tsx";
import { useListFilter, type ListFilter } from "./use-filter.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { VirtualTable } from "../../lists/virtual-table.tsx";
import { COLUMNS, WORKLOAD_TITLES, WorkloadRow } from "./workload-row.tsx";

const NONE: WorkloadRecord[] = [];

/** The workloads of clusters, by namespace, narrowed by what the address says. */
export function WorkloadsPage() {
  const list = useListFilter("/kubernetes");
  const { data, error, isPending, refetch } = useQuery(workloadsQuery(useChosenHost()));
  const nameOf = useClusterName();
  // Typing stays quick with thousands of rows: the list follows when there is time.
  const shownFilter = useDeferredValue(list.filter);
  const all = data?.workloads ?? NONE;
  const shown = useMemo(() => filterWorkloads(all, shownFilter), [all, shownFilter]);
  const items = useMemo(() => workloadItems(shown), [shown]);
  const remembered = useFolds("workloads");
  // What was looked for is not hidden.
  const folds = list.narrowed ? undefined : remembered;
  useTitle(data === undefined ? "Kubernetes workloads" : `Kubernetes workloads (${formatCount(shown.length)})`);
  const clusterNames = new Map(data?.clusters.map((cluster) => [cluster.id, nameOf(cluster)]));

  function renderItem(item: WorkloadItem, index: number, fold: Fold | undefined) {
    if (item.kind === "row") return <WorkloadRow workload={item.workload} index={index} />;
    return (
      <NamespaceHead
        item={item}
        index={index}
        fold={fold}
        what="workload"
        clusterName={clusterNames.size > 1 ? clusterNames.get(item.clusterId) : undefined}
      />
    );
  }

  return (
    <KubernetesFrame
      path="/kubernetes"
      note={data && noteOf(shown, all)}
      clusters={data?.clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
      filter={
        all.length > 0 && (
          <>
            <WorkloadFilter list={list} workloads={all} clusters={clusterChoices(data?.clusters, nameOf)} />
            <DisplayMenu folds={folds} />
          </>
        )
      }
    >
      {data !== undefined && all.length === 0 && (
        <EmptyState title="No workloads yet">
          <p>What you deploy with `kubectl apply` or `helm install` appears here automatically.</p>
          <p>Namespaces of the cluster itself, such as kube-system, are left out unless `SERVICE_K8S_EXCLUDE_NAMESPACES` says otherwise.</p>
        </EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && (
        <NoResults path="/kubernetes">{`None of ${countOf(all.length, "workload")} matches the filters.`}</NoResults>
      )}
      {shown.length > 0 && (
        <VirtualTable
          label="Workloads"
          items={items}
          folds={folds}
          columns={COLUMNS}
          head={<ColumnHeads titles={WORKLOAD_TITLES} />}
          render={renderItem}
        />
      )}
    </KubernetesFrame>
  );
}

function noteOf(shown: readonly WorkloadRecord[], all: readonly WorkloadRecord[]): string {
  const total = countOf(all.length, "workload");
  const count = shown.length === all.length ? total : `${formatCount(shown.length)} of ${total}`;
  const attention = shown.filter(needsAttention).length;
  return attention === 0 ? count : `${count}, ${formatCount(attention)} ${attention === 1 ? "needs" : "need"} attention`;
}

function WorkloadFilter({
  list,
  workloads,
  clusters,
}: {
  list: ListFilter;
  workloads: readonly WorkloadRecord[];
  clusters: { value: string; label: string }[];
}) {
  const attention = workloads.filter(needsAttention).length;
  const states = Object.entries(WORKLOAD_STATE_WORDS)
    .map(([value, label]) => ({ value, label, count: workloads.filter(({ state }) => state === value).length }))
    .filter(({ count }) => count > 0);
  return (
    <FilterBar
      list={list}
      placeholder="Name or image"
      narrowings={[
        { name: "cluster", label: "Cluster", choices: clusters },
        { name: "namespace", label: "Namespace", choices: countedChoices(workloads.map(({ namespace }) => namespace)) },
        { name: "kind", label: "Kind", choices: countedChoices(workloads.map(({ kind }) => kind)) },
        {
          name: "state",
          label: "State",
          choices: attention === 0 ? states : [{ value: ATTENTION, label: "Needs attention", count: attention }, ...states],
        },
      ]}
    />
  );
}

interface Properties {
  item: NamespaceItem;
  index: number;
  fold: Fold | undefined;
  /** What it is a head of: `workload`. */
  what: string;
  /** Where there are several clusters. */
  clusterName: string | undefined;
}

/** The head of a namespace: its name, its cluster, how many need attention, how many it has. */
function NamespaceHead({ item: { namespace, count, attention, worst }, index, fold, what, clusterName }: Properties) {
  return (
    <GroupHead {...{ name: namespace, index, fold, attention, worst }} count={countOf(count, what)}>
      {clusterName !== undefined && (
        <>
          {" · "}
          <bdi>{clusterName}</bdi>
        </>
      )}
    </GroupHead>
  );
}
