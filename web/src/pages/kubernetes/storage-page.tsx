import { useQuery } from "@tanstack/react-query";
import type { ClaimRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { claimsQuery } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ClaimTable } from "./claim-table.tsx";
import { filterClaims } from "./claims.ts";
import { clusterChoices, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { countedChoices, FilterBar } from "./filter-bar.tsx";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { NoResults } from "./no-results.tsx";
import { useListFilter } from "./use-filter.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const NONE: ClaimRecord[] = [];

/** The persistent volume claims of clusters, the fullest first. */
export function StoragePage() {
  useRowKeys();
  const list = useListFilter("/kubernetes/storage");
  const { data, error, isPending, refetch } = useQuery(claimsQuery(useChosenHost()));
  const nameOf = useClusterName();
  const all = data?.claims ?? NONE;
  const shown = filterClaims(all, list.filter);
  useTitle(data === undefined ? "Kubernetes storage" : `Kubernetes storage (${formatCount(shown.length)})`);

  return (
    <KubernetesFrame
      path="/kubernetes/storage"
      note={data && countOf(all.length, "claim")}
      clusters={data?.clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
      filter={
        all.length > 0 && (
          <FilterBar
            list={list}
            placeholder="Name or class"
            narrowings={[
              { name: "cluster", label: "Cluster", choices: clusterChoices(data?.clusters, nameOf) },
              { name: "namespace", label: "Namespace", choices: countedChoices(all.map(({ namespace }) => namespace)) },
              { name: "state", label: "Phase", choices: countedChoices(all.map(({ phase }) => phase)) },
            ]}
          />
        )
      }
    >
      {data !== undefined && all.length === 0 && (
        <EmptyState title="No claims">
          <p>The agent sees no PersistentVolumeClaim. How full a volume is comes from the kubelet of a node whose pod mounts it.</p>
        </EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && (
        <NoResults path="/kubernetes/storage">{`None of ${countOf(all.length, "claim")} matches the filters.`}</NoResults>
      )}
      {shown.length > 0 && <ClaimTable claims={shown} />}
    </KubernetesFrame>
  );
}
