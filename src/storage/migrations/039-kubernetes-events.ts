import type { Migration } from "./migration.ts";

/**
 * Events of Kubernetes clusters, which a cluster itself forgets after an hour. `uid` is that of the event in its cluster; it happened `count` times from
 * `first_at` to `last_at`. `agent_id` is the host that showed it last, null for the local one; `workload_id` the uid of the workload that it is about, or
 * that its pod is of. Times as in 001.
 */
export const kubernetesEvents: Migration = {
  name: "039-kubernetes-events",
  statements: ({ generatedKey }) => [
    `CREATE TABLE kubernetes_events (
      id ${generatedKey},
      cluster_id TEXT NOT NULL,
      uid TEXT NOT NULL,
      agent_id TEXT,
      namespace TEXT NOT NULL,
      type TEXT NOT NULL,
      reason TEXT NOT NULL,
      message TEXT NOT NULL,
      about_kind TEXT NOT NULL,
      about_name TEXT NOT NULL,
      about_id TEXT,
      workload_id TEXT,
      source TEXT,
      count BIGINT NOT NULL,
      first_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL
    )`,
    "CREATE UNIQUE INDEX kubernetes_events_uid ON kubernetes_events (cluster_id, uid)",
    "CREATE INDEX kubernetes_events_last_at ON kubernetes_events (last_at, id)",
    "CREATE INDEX kubernetes_events_workload ON kubernetes_events (workload_id, last_at)",
    "CREATE INDEX kubernetes_events_agent ON kubernetes_events (agent_id)",
  ],
};
