import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { NodeRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { nodesQuery } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { nodeStatus } from "../../format/kubernetes-status.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { clusterChoices, readyWords, sumOf, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { countedChoices, FilterBar } from "./filter-bar.tsx";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { NoResults } from "./no-results.tsx";
import { filterNodes, NODE_STATE_WORDS, nodeStates } from "./node-filter.ts";
import { NodeRow } from "./node-row.tsx";
import { useFirst } from "./show-more.tsx";
import { useListFilter } from "./use-filter.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const NONE: NodeRecord[] = [];
const FIRST = 100;

/** The nodes of clusters: whether they are ready, what is requested and used of them, and one of them in full. */
export function NodesPage() {
  useRowKeys();
  const list = useListFilter("/kubernetes/nodes");
  const { filter, narrow } = list;
  const { data, error, isPending, refetch } = useQuery(nodesQuery(useChosenHost()));
  const nameOf = useClusterName();
  const all = data?.nodes ?? NONE;
  const left = filterNodes(all, useDeferredValue(filter));
  const isOpen = ({ id, name }: NodeRecord): boolean => filter.node === name || filter.node === id;
  // The opened one is always among the first.
  const { shown, more } = useFirst(left, Math.max(FIRST, left.findIndex(isOpen) + 1), "node");
  const clusterNames = new Map(data?.clusters.map((cluster) => [cluster.id, nameOf(cluster)]));
  useTitle(data === undefined ? "Kubernetes nodes" : `Kubernetes nodes (${formatCount(left.length)})`);

  return (
    <KubernetesFrame
      path="/kubernetes/nodes"
      note={
        data &&
        `${readyWords(
          sumOf(data.clusters, ({ nodes_ready: ready }) => ready),
          sumOf(data.clusters, ({ nodes }) => nodes),
        )} ready`
      }
      clusters={data?.clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
      filter={
        all.length > 0 && (
          <FilterBar
            list={list}
            placeholder="Name, role or taint"
            narrowings={[
              { name: "cluster", label: "Cluster", choices: clusterChoices(data?.clusters, nameOf) },
              {
                name: "state",
                label: "State",
                choices: countedChoices(all.flatMap(nodeStates), (state) => NODE_STATE_WORDS[state] ?? state),
              },
            ]}
          />
        )
      }
    >
      {data !== undefined && all.length === 0 && (
        <EmptyState title="No nodes">
          <p>Nodes belong to the whole cluster: an agent that may read only some namespaces does not see them.</p>
        </EmptyState>
      )}
      {all.length > 0 && left.length === 0 && (
        <NoResults path="/kubernetes/nodes">{`None of ${countOf(all.length, "node")} matches the filters.`}</NoResults>
      )}
      {shown.length > 0 && (
        <>
          <p className="mt-4 flex flex-wrap gap-x-4 text-xs text-ink-2">
            <Legend className="bg-ink-2">Used</Legend>
            <Legend className="bg-ink-3/45">Requested</Legend>
            <Legend className="bg-line">Allocatable</Legend>
          </p>
          <ul aria-label="Nodes" className="mt-2 border-b border-line">
            {shown.map((node) => (
              <NodeRow
                key={node.id}
                node={node}
                status={nodeStatus(node)}
                clusterName={clusterNames.size > 1 ? clusterNames.get(node.cluster_id) : undefined}
                isOpen={isOpen(node)}
                onToggle={(opens) => narrow({ node: opens ? node.name : undefined }, true)}
              />
            ))}
          </ul>
          {more}
        </>
      )}
    </KubernetesFrame>
  );
}

function Legend({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`block h-1.5 w-4 rounded-full ${className}`} />
      {children}
    </span>
  );
}
