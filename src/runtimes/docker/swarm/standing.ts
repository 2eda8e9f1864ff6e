import type { SwarmStanding } from "../../../observations/swarm.ts";

/** Why an engine does not show its swarm, and what to do. */
export interface Refusal {
  standing: Exclude<SwarmStanding, "manager">;
  reason: string;
}

/**
 * What it means that an engine does not answer for the swarm; undefined when it says nothing of the swarm. Engines have no code for it, so their
 * words are read: those of Docker 20.10 to 28.
 */
export function refusalOf(status: number, message: string): Refusal | undefined {
  if (status === 401 || status === 403 || status === 405) return DENIED;
  if (/needs to be unlocked/i.test(message)) return LOCKED;
  if (/worker nodes can't be used/i.test(message)) return WORKER;
  // It begins like the words of one that has left.
  if (/manager is being prepared/i.test(message)) return undefined;
  // It is one that has left, or that was never in one.
  if (/not a swarm manager|not part of a swarm/i.test(message) || status === 404) return INACTIVE;
  if (/does not have a leader|too few managers|deadline ?exceeded|no elected primary|raft/i.test(message)) return NO_QUORUM;
  return undefined;
}

/** The same by what an engine says of itself; undefined where it says nothing of swarms. */
export function standingOf(
  swarm: { LocalNodeState: string; ControlAvailable: boolean; Error: string } | null | undefined,
  isDenied: boolean,
): Refusal | { standing: "manager"; reason: null } | { standing: "unready"; reason: string } | undefined {
  if (swarm == null) return undefined;
  if (swarm.ControlAvailable) return isDenied ? DENIED : { standing: "manager", reason: null };
  switch (swarm.LocalNodeState) {
    case "locked":
      return LOCKED;
    case "active":
      return WORKER;
    case "pending":
    case "error":
      return { standing: "unready", reason: unready(swarm) };
    default:
      return INACTIVE;
  }
}

/** It is part of a swarm that it has no touch with: `pending` at its start, `error` when its part has failed and is tried again. */
function unready({ LocalNodeState, Error: error }: { LocalNodeState: string; Error: string }): string {
  const cause = error === "" ? "" : `: ${error}`;
  return `The engine's part of its swarm is ${LocalNodeState === "error" ? "in error" : "not ready"}${cause}. See the engine's log.`;
}

const DENIED: Refusal = {
  standing: "denied",
  reason:
    "GET /services, /tasks and /nodes are denied, so services of the swarm are not seen. Allow them in the socket proxy (often SERVICES=1, TASKS=1 and NODES=1).",
};
const LOCKED: Refusal = {
  standing: "locked",
  reason: "The swarm is locked on this manager since its engine restarted. Run `docker swarm unlock` there and give the unlock key.",
};
const WORKER: Refusal = {
  standing: "worker",
  reason:
    "This engine is a worker, which cannot see the services of its swarm. Watch a manager, or promote this node with `docker node promote`.",
};
const INACTIVE: Refusal = {
  standing: "inactive",
  reason: "This engine is not part of a swarm. Start one with `docker swarm init`, or join one with `docker swarm join`.",
};
const NO_QUORUM: Refusal = {
  standing: "no_quorum",
  reason:
    "The swarm has no leader: too few of its managers are reachable for a quorum. Bring managers back, or run `docker swarm init --force-new-cluster` on one that is left.",
};
