import type { SwarmSighting, SwarmStanding, SwarmTopology } from "../../observations/swarm.ts";

/** What one host showed of its swarm last. */
export interface HostView {
  agentId: string | null;
  swarm: SwarmSighting;
  /** Its cluster: a locked manager and a worker do not name it, so that of before holds. */
  clusterId: string | null;
  /** By the clock of the host. */
  observedAt: Date;
  /** When it arrived, on a clock that only rises. */
  receivedMs: number;
}

/** A swarm as it was last seen, whichever of its managers showed it. */
export interface Cluster {
  id: string;
  topology: SwarmTopology;
  /** By the clock of the host that showed it. */
  observedAt: Date;
  /** Whose manager showed it; null is the local host. */
  agentId: string | null;
  /** A manager shows it now. */
  isObserved: boolean;
  /** Why none does, as a sentence; null while one does. */
  reason: string | null;
  /** The hosts of ours that are part of it. */
  hosts: { agentId: string | null; standing: SwarmStanding; reason: string | null }[];
}

/** A collector says everything again every 10 seconds, and an engine may take 20 to answer. */
export const STALE_AFTER_MS = 50_000;
/** So long the leader is waited for before another manager's word holds: its host may be cut off from us, and the swarm none the wiser. */
const LEADER_WAIT_MS = 14_000;

/**
 * Whose word holds of a cluster. All managers share what they know, and the leader knows it first: so the one that the newest view calls the leader,
 * unless it has been silent longer than it ever is; else the newest. Undefined when no manager shows it.
 */
export function speakerOf(views: readonly HostView[], nowMs: number): HostView | undefined {
  const managers = views
    .filter(({ swarm, receivedMs }) => swarm.topology !== null && nowMs - receivedMs < STALE_AFTER_MS)
    .sort((a, b) => b.receivedMs - a.receivedMs);
  const [newest] = managers;
  const leader = newest?.swarm.topology?.nodes.find(({ manager }) => manager?.leader === true)?.id;
  const ofLeader = managers.find(({ swarm }) => swarm.nodeId !== null && swarm.nodeId === leader);
  return ofLeader !== undefined && nowMs - ofLeader.receivedMs < LEADER_WAIT_MS ? ofLeader : newest;
}

/** Why nothing is seen of a cluster, as a sentence. */
export function whyUnseen(views: readonly HostView[], nowMs: number): string {
  const heard = views.filter(({ receivedMs }) => nowMs - receivedMs < STALE_AFTER_MS);
  const managers = heard.filter(({ swarm: { standing } }) => standing === "no_quorum" || standing === "locked" || standing === "denied");
  const [worst] = managers.length > 0 ? managers : heard;
  return worst?.swarm.reason ?? "None of its managers that are watched here can be reached. What is shown is as it was last seen.";
}
