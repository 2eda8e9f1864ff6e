import type { PodRecord } from "../../../../../src/monitoring/kubernetes/answers.ts";

/** The pods of one workload on one node. */
export interface NodeBranch {
  key: string;
  /** null: on none yet. */
  nodeName: string | null;
  pods: PodRecord[];
  /** How many more there are. */
  hidden: number;
}

/** So many pods of a node, and so many nodes, are drawn; the list of pods has them all. */
const PODS_DRAWN = 5;
const NODES_DRAWN = 12;

/** Pods by the node that they are on, in the order given; pods on no node first, since they wait for one. */
export function nodeBranches(pods: readonly PodRecord[]): NodeBranch[] {
  return [...Map.groupBy(pods, ({ node_name: nodeName }) => nodeName)]
    .toSorted(([one], [other]) => Number(one !== null) - Number(other !== null))
    .slice(0, NODES_DRAWN)
    .map(([nodeName, members]) => ({
      key: nodeName ?? "",
      nodeName,
      pods: members.slice(0, PODS_DRAWN),
      hidden: Math.max(0, members.length - PODS_DRAWN),
    }));
}

/** How many nodes with pods are not drawn. */
export function nodesLeftOut(pods: readonly PodRecord[]): number {
  return Math.max(0, new Set(pods.map(({ node_name: nodeName }) => nodeName)).size - NODES_DRAWN);
}
