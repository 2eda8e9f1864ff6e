import type { PodFilter } from "../../api/kubernetes.ts";
import type { KubernetesFilter } from "./filter.ts";

/** A state of pods to filter by. Not ready is one here, since that is what one looks for. */
export const POD_STATE_WORDS = {
  not_ready: "Not ready",
  pending: "Pending",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  unknown: "Unknown",
} as const;

const PHASES: Readonly<Record<string, PodFilter["phase"]>> = {
  pending: "Pending",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  unknown: "Unknown",
};

/** What is asked for with what the address says; a state that none is called like leaves nothing out. */
export function podFilter({ q, cluster, namespace, node, state }: KubernetesFilter): PodFilter {
  return {
    search: q,
    cluster_id: cluster,
    namespace,
    node,
    phase: PHASES[state ?? ""],
    ...(state === "not_ready" && { ready: false }),
  };
}
