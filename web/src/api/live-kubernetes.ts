import type { QueryClient } from "@tanstack/react-query";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";

/** Keeps what is known of Kubernetes as events say: workloads, pods and nodes depend on each other, so what is shown of them is read again: at most every two seconds while a cluster does not rest. */
export function createKubernetesUpdates(queryClient: QueryClient): LiveUpdates<"kubernetes"> {
  const soon = coalesce(() => void queryClient.invalidateQueries({ queryKey: ["kubernetes"] }), { quietMs: 250, longestMs: 2000 });
  /** Events of the clusters themselves come by the dozen, and stand in two places only. */
  const eventsSoon = coalesce(
    () => {
      for (const part of ["events", "workload"]) void queryClient.invalidateQueries({ queryKey: ["kubernetes", part] });
    },
    { quietMs: 1000, longestMs: 3000 },
  );
  const reread = (): void => soon.call();
  return {
    events: {
      "kubernetes.status_changed": reread,
      "kubernetes.namespace_changed": reread,
      "kubernetes.workload_updated": reread,
      "kubernetes.workload_removed": reread,
      "kubernetes.pods_changed": reread,
      "kubernetes.node_updated": reread,
      "kubernetes.node_removed": reread,
      "kubernetes.events_recorded": () => eventsSoon.call(),
      "kubernetes.alert": reread,
    },
    reread,
    cancel() {
      soon.cancel();
      eventsSoon.cancel();
    },
  };
}
