import type { Generated } from "kysely";

/** The columns of this feature's table; see storage/migrations/039-kubernetes-events.ts for their meaning. */
export interface ClusterEventTables {
  kubernetes_events: ClusterEventRow;
}

export interface ClusterEventRow {
  id: Generated<number>;
  cluster_id: string;
  uid: string;
  agent_id: string | null;
  namespace: string;
  type: string;
  reason: string;
  message: string;
  about_kind: string;
  about_name: string;
  about_id: string | null;
  workload_id: string | null;
  source: string | null;
  count: number;
  first_at: number;
  last_at: number;
}
