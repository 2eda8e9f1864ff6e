import { MINUTE_MS } from "../../contract/time.ts";
import type { EventData, SwarmAlert } from "../../events.ts";

type AlertData = EventData["swarm.alert"];

/** Something that is wrong with a swarm, long enough to be alerted. */
export interface SwarmProblem extends Pick<
  AlertData,
  "id" | "name" | "alert" | "entity_type" | "severity" | "message" | "cause" | "node_ids" | "stack"
> {
  labels: Record<string, string>;
  channels: string[];
  tags: string[];
  since: Date;
}

/** What is not about a service has no labels, and notifies as anything does. */
export const UNLABELLED = { stack: null, labels: {}, channels: [], tags: [], node_ids: [] };

/** What is remembered of a cluster between two looks: since when what is wrong has been so, by {@link problemKey}. */
export interface Memory {
  since: Map<string, Date>;
  /** When tasks failed, by service and slot, then by task; engines forget. */
  failures: Map<string, Map<string, Date>>;
  /** Updates that were rolled back without being asked to: services, and when their rollback began. */
  rolledBack: Map<string, number>;
  /** When the update of each service began that was in progress when the service was last seen. */
  updating: Map<string, number>;
  /** Which slots of each service were missing in the last look. */
  missing: Map<string, string>;
}

export function newMemory(): Memory {
  return { since: new Map(), failures: new Map(), rolledBack: new Map(), updating: new Map(), missing: new Map() };
}

/** Source: contract, section 15. A swarm needs some seconds for an election, and for a node that restarts. */
export const WAITS_MS: Record<SwarmAlert, number> = {
  replica_unhealthy: 5 * MINUTE_MS,
  crash_loop: 0,
  update_rollback: 0,
  update_paused: 0,
  node_down: 15_000,
  node_drained_with_tasks: MINUTE_MS,
  quorum_degraded: 15_000,
};
export function problemKey(alert: SwarmAlert, id: string): string {
  return `${alert} ${id}`;
}

/** What the rules of one look know. */
export interface Context {
  memory: Memory;
  alerted: ReadonlySet<string>;
  now: Date;
  /** Nodes that are down. */
  down: ReadonlySet<string>;
}

/** Since when something has been wrong; from now on, when it was not. */
export function sinceOf({ since }: Memory, key: string, now: Date): Date {
  const known = since.get(key) ?? now;
  since.set(key, known);
  return known;
}
