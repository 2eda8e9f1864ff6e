import type { WorkloadRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { needsAttention, workloadStatus } from "../../format/kubernetes-status.ts";
import type { KubernetesFilter } from "./filter.ts";

/** The head of a namespace in a list. */
export interface NamespaceItem {
  kind: "group";
  key: string;
  namespace: string;
  clusterId: string;
  count: number;
  /** How many need attention, and the worst of their statuses. */
  attention: number;
  worst: "degraded" | "down";
}

/** A line of the list of workloads. */
export type WorkloadItem = NamespaceItem | { kind: "row"; key: string; workload: WorkloadRecord };

/** A state to filter by that is none of a workload, since that is what one looks for. */
export const ATTENTION = "attention";

/** What the filter leaves. `cluster` is the id of one. */
export function filterWorkloads(workloads: readonly WorkloadRecord[], filter: KubernetesFilter): WorkloadRecord[] {
  const { cluster, namespace, kind, state, node } = filter;
  const text = filter.q?.toLowerCase();
  return workloads.filter(
    (workload) =>
      (cluster === undefined || workload.cluster_id === cluster) &&
      (namespace === undefined || workload.namespace === namespace) &&
      (kind === undefined || workload.kind === kind) &&
      (state === undefined || (state === ATTENTION ? needsAttention(workload) : workload.state === state)) &&
      (node === undefined || workload.nodes.includes(node)) &&
      (text === undefined || textOf(workload).includes(text)),
  );
}

function textOf({ namespace, name, group, kind, containers }: WorkloadRecord): string {
  return `${namespace}/${name}\n${group}\n${kind}\n${containers.map(({ image }) => image).join("\n")}`.toLowerCase();
}

/** The lines of the list, in the order given: each namespace's head, then its workloads. */
export function workloadItems(workloads: readonly WorkloadRecord[]): WorkloadItem[] {
  const groups = Map.groupBy(workloads, ({ cluster_id: clusterId, namespace }) => `${clusterId} ${namespace}`);
  return [...groups].flatMap(([key, members]): WorkloadItem[] => {
    const [first] = members;
    if (first === undefined) return [];
    const troubled = members.filter(needsAttention);
    return [
      {
        kind: "group",
        key: `namespace ${key}`,
        namespace: first.namespace,
        clusterId: first.cluster_id,
        count: members.length,
        attention: troubled.length,
        worst: troubled.some((workload) => workloadStatus(workload).status === "down") ? "down" : "degraded",
      },
      ...members.map((workload): WorkloadItem => ({ kind: "row", key: workload.id, workload })),
    ];
  });
}
