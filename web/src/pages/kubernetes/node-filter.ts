import type { NodeRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import type { KubernetesFilter } from "./filter.ts";

export const NODE_STATE_WORDS: Readonly<Record<string, string>> = {
  ready: "Ready",
  not_ready: "Not ready",
  unknown: "Unknown",
  cordoned: "Cordoned",
  pressure: "Under pressure",
};

/** Every state that a node has, to filter by. */
export function nodeStates({ state, schedulable, pressures }: Pick<NodeRecord, "state" | "schedulable" | "pressures">): string[] {
  return [state, ...(schedulable ? [] : ["cordoned"]), ...(pressures.length > 0 ? ["pressure"] : [])];
}

/** What the filter leaves; the node that is opened leaves nothing out. */
export function filterNodes(nodes: readonly NodeRecord[], { q, cluster, state }: KubernetesFilter): NodeRecord[] {
  const text = q?.toLowerCase();
  return nodes.filter(
    (node) =>
      (cluster === undefined || node.cluster_id === cluster) &&
      (state === undefined || nodeStates(node).includes(state)) &&
      (text === undefined || textOf(node).includes(text)),
  );
}

function textOf({ name, roles, taints, internal_ip: address }: NodeRecord): string {
  return [name, ...roles, ...taints.map(taintText), address ?? ""].join("\n").toLowerCase();
}

/** As kubectl writes it: `dedicated=db:NoSchedule`. */
export function taintText({ key, value, effect }: NodeRecord["taints"][number]): string {
  return `${key}${value === null || value === "" ? "" : `=${value}`}:${effect}`;
}
