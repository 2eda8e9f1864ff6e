import type { ClusterRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { formatCount } from "../../format/number.ts";

/** A cluster has no name: it is called by the host that shows it. */
export function useClusterName(): (cluster: Pick<ClusterRecord, "agent_id">) => string {
  const nameOf = useHostName();
  return (cluster) => nameOf(hostId(cluster));
}

type HostStanding = ClusterRecord["hosts"][number];

/** What is shown of the hosts that do not show the cluster, while another one does. */
export function hostNotes({ observed, hosts }: Pick<ClusterRecord, "observed" | "hosts">): { host: HostStanding; words: string }[] {
  if (!observed) return [];
  return hosts.flatMap((host) => (host.standing === "watching" ? [] : [{ host, words: standingWords(host) }]));
}

/** What a host does with its cluster, after its name. */
export function standingWords({ standing, reason }: Pick<HostStanding, "standing" | "reason">): string {
  if (standing === "watching") return "watches this cluster.";
  if (standing === "standby") return "stands by: another agent watches this cluster.";
  return `sees nothing of it: ${reason ?? standing}`;
}

/** `12 of 14 ready`, or `14` where all are. */
export function readyWords(ready: number, total: number): string {
  return ready === total ? formatCount(total) : `${formatCount(ready)} of ${formatCount(total)}`;
}

/** One figure of all clusters together. */
export function sumOf(clusters: readonly ClusterRecord[], figure: (cluster: ClusterRecord) => number): number {
  return clusters.reduce((sum, cluster) => sum + figure(cluster), 0);
}

/** Clusters to choose from: none of one. */
export function clusterChoices(
  clusters: readonly ClusterRecord[] | undefined,
  nameOf: (cluster: ClusterRecord) => string,
): { value: string; label: string }[] {
  return clusters === undefined || clusters.length < 2 ? [] : clusters.map((cluster) => ({ value: cluster.id, label: nameOf(cluster) }));
}
