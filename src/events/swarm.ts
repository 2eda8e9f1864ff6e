/** What changed of swarms; see ../events.ts. Ids are those of Docker. Source: contract, section 15. */
import type { RolloutState, SwarmNode, SwarmStanding, TaskState } from "../observations/swarm.ts";
import type { ClusterAlertData } from "./entity.ts";

/**
 * How a service is: `running` as many tasks as it asks for; `degraded` fewer; `down` none; `completed` is a job, or a service of tasks that run once, that is done; `stopped` asks for none.
 */
export const SERVICE_STATES = ["running", "degraded", "down", "completed", "stopped"] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

export const SWARM_ALERTS = [
  "replica_unhealthy",
  "crash_loop",
  "update_rollback",
  "update_paused",
  "node_down",
  "node_drained_with_tasks",
  "quorum_degraded",
] as const;
export type SwarmAlert = (typeof SWARM_ALERTS)[number];

/** What every event about a part of a swarm says. */
export interface SwarmData {
  /** Of the service, the node or the cluster, as Docker names it. */
  id: string;
  /** Whose manager showed it; null is the local host. */
  agent_id: string | null;
  name: string;
  cluster_id: string;
  timestamp: string;
}

export interface ServiceData extends SwarmData {
  stack: string | null;
  state: ServiceState;
  /** Tasks that run, and that it asks for. */
  running: number;
  desired: number;
  image: string;
  image_digest: string | null;
  rollout_state: RolloutState | null;
  rollout_message: string | null;
}

export interface NodeData extends SwarmData {
  role: SwarmNode["role"];
  availability: SwarmNode["availability"];
  state: SwarmNode["state"];
  leader: boolean;
  reachability: "reachable" | "unreachable" | "unknown" | null;
}

export interface TaskChange {
  id: string;
  slot: number | null;
  node_id: string | null;
  /** null: the engine has forgotten it. */
  state: TaskState | null;
  /** null of a new one. */
  previous_state: TaskState | null;
  error: string | null;
}

export interface SwarmEvents {
  /** How an engine stands in its swarm, and why its services are not seen. */
  "swarm.status_changed": {
    agent_id: string | null;
    cluster_id: string | null;
    standing: SwarmStanding;
    previous_standing: SwarmStanding | null;
    reason: string | null;
    timestamp: string;
  };
  "swarm.service_updated": ServiceData & { previous_state: ServiceState | null };
  "swarm.service_removed": ServiceData;
  /** Tasks of one service; at most 100 of them are named. */
  "swarm.tasks_changed": ServiceData & { tasks: TaskChange[] };
  "swarm.node_updated": NodeData & { previous_state: SwarmNode["state"] | null };
  "swarm.node_removed": NodeData;
  "swarm.alert": SwarmData &
    ClusterAlertData & {
      alert: SwarmAlert;
      entity_type: "swarm_service" | "swarm_node" | "swarm";
      stack: string | null;
    };
}

export const SWARM_EVENTS: Record<keyof SwarmEvents, string> = {
  "swarm.status_changed": "an engine's part in its swarm changed: manager, worker, locked, without a quorum",
  "swarm.service_updated": "a service of a swarm appeared, or its state, image, replicas or rollout changed",
  "swarm.service_removed": "a service was removed from its swarm",
  "swarm.tasks_changed": "tasks of a service came, went or changed state",
  "swarm.node_updated": "a node joined a swarm, or its state, role, availability or reachability changed",
  "swarm.node_removed": "a node was removed from its swarm",
  "swarm.alert": "a problem of a swarm was found, changed, or is over",
};
