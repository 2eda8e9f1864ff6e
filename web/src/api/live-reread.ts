import type { QueryClient } from "@tanstack/react-query";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";

/** Reads again what is known of findings and of the posture: every part depends on every finding. */
export function createSecurityUpdates(queryClient: QueryClient): LiveUpdates<"security"> {
  const { reread, cancel } = rereadWhole(queryClient, "security");
  return {
    events: {
      "security.insights_changed": reread,
      "security.acknowledged": reread,
      "security.revoked": reread,
      "security.posture_threshold": reread,
    },
    reread,
    cancel,
  };
}

/** Reads again what is known of swarms: tasks, services and nodes depend on each other. */
export function createSwarmUpdates(queryClient: QueryClient): LiveUpdates<"swarm"> {
  const { reread, cancel } = rereadWhole(queryClient, "swarm");
  return {
    events: {
      "swarm.status_changed": reread,
      "swarm.service_updated": reread,
      "swarm.service_removed": reread,
      "swarm.tasks_changed": reread,
      "swarm.node_updated": reread,
      "swarm.node_removed": reread,
      "swarm.alert": reread,
    },
    reread,
    cancel,
  };
}

function rereadWhole(queryClient: QueryClient, key: string): { reread: () => void; cancel: () => void } {
  const { call, cancel } = coalesce(() => void queryClient.invalidateQueries({ queryKey: [key] }), { quietMs: 250, longestMs: 1000 });
  return { reread: call, cancel };
}
