import { capitalise } from "../../../src/contract/words.ts";
import type { ClusterRecord, NodeRecord, ServiceRecord, TaskRecord } from "../../../src/monitoring/swarm/answers.ts";
import { lastKnown } from "./last-known.ts";
import type { Status } from "./status.ts";

/** A status with its word, and what is known of why. */
export interface SwarmStatus {
  status: Status;
  word: string;
  cause: string | undefined;
  since: undefined;
}

const statusOf = (status: Status, word: string, cause?: string | null): SwarmStatus => ({
  status,
  word,
  cause: cause ?? undefined,
  since: undefined,
});

/** How something is while a manager shows its swarm, and how it was when none does. */
export function asObserved(status: SwarmStatus, isObserved: boolean): SwarmStatus {
  return isObserved ? status : lastKnown(status);
}

/** Whether what belongs to a swarm is seen now, by its `cluster_id`. */
export function observedBy(clusters: readonly ClusterRecord[]): (of: { cluster_id: string }) => boolean {
  const unobserved = new Set(clusters.flatMap(({ id, observed }) => (observed ? [] : [id])));
  return ({ cluster_id: id }) => !unobserved.has(id);
}

/** How a service is: what is wrong comes first, then what is in progress, then its state. */
export function serviceStatus({ state, problems, rollout, last_error: error, running, desired }: ServiceRecord): SwarmStatus {
  if (problems.some(({ alert }) => alert === "crash_loop")) return statusOf(running === 0 ? "down" : "degraded", "Crash-looping", error);
  if (state === "down") return statusOf("down", rollout?.state === "updating" ? "Starting" : "Down", error);
  if (rollout?.state === "paused" || rollout?.state === "rollback_paused") return statusOf("degraded", "Update paused", rollout.message);
  if (rollout?.state === "rollback_started") return statusOf("degraded", "Rolling back", error);
  if (problems.some(({ alert }) => alert === "update_rollback")) return statusOf("degraded", "Update rolled back", error);
  if (rollout?.state === "updating") return statusOf("maintenance", "Updating");
  if (state === "degraded") return statusOf("degraded", "Degraded", error ?? `${desired - running} missing`);
  if (state === "completed") return statusOf("idle", "Completed");
  if (state === "stopped") return statusOf("idle", "Scaled to zero");
  return statusOf("ok", "Running");
}

const BUSY = new Set(["new", "allocated", "pending", "assigned", "accepted", "preparing", "ready", "starting"]);

/** How a task is, in the engine's word. */
export function taskStatus({ state, error, is_current: isCurrent }: TaskRecord): SwarmStatus {
  const word = capitalise(state);
  if (state === "failed" || state === "rejected") return statusOf(isCurrent ? "down" : "idle", word, error);
  if (BUSY.has(state)) return statusOf(error === null ? "idle" : "degraded", word, error);
  return statusOf(state === "running" && isCurrent ? "ok" : "idle", word, error);
}

/** How a node is, and whether it takes tasks. */
export function nodeStatus({ state, availability, message, reachability }: NodeRecord): SwarmStatus {
  if (state === "down" || state === "disconnected") return statusOf("down", "Down", message);
  if (state === "unknown") return statusOf("degraded", "Unknown", message);
  if (reachability === "unreachable") return statusOf("degraded", "Manager unreachable");
  if (availability === "drain") return statusOf("maintenance", "Drained");
  if (availability === "pause") return statusOf("idle", "Paused", "takes no new tasks");
  return statusOf("ok", "Ready");
}

/** Ports as one reads them: `8080→80`, `53/udp`, those of single nodes marked so. */
export function servicePorts(ports: ServiceRecord["ports"]): string[] {
  return ports.map(({ protocol, target_port: target, published_port: published, mode }) => {
    const mapping = published === null || published === target ? String(target) : `${published}→${target}`;
    return `${mapping}${protocol === "tcp" ? "" : `/${protocol}`}${mode === "host" ? " (host)" : ""}`;
  });
}

const MODES: Readonly<Record<ServiceRecord["mode"], string>> = {
  replicated: "Replicated",
  global: "Global",
  "replicated-job": "Job",
  "global-job": "Global job",
};

export function modeWord({ mode }: Pick<ServiceRecord, "mode">): string {
  return MODES[mode];
}

/** `2 / 3`, or of a job `1 / 1 done`. */
export function replicasText({ running, desired, completed }: ServiceRecord): string {
  return completed === null ? `${running} / ${desired}` : `${completed} / ${desired} done`;
}
