import type { RuntimeStatusRecord } from "../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { LOCAL_HOST } from "../../app/host-id.ts";
import type { Status } from "../../format/status.ts";

/** How a host is reached: its shape and word, and since when where that matters. */
export interface HostState {
  status: Status;
  word: string;
  since: string | null;
}

/** How hosts are reached. What is undefined is not known: it is being read, or the edition does not show it. */
export interface Contact {
  /** By it the local host is seen. */
  runtime: Pick<RuntimeStatusRecord, "connected" | "since"> | undefined;
  /** Any other host is seen by its agent. */
  agent: Pick<AgentRecord, "status" | "connection_state" | "last_seen_at"> | undefined;
}

/** The state of a host. */
export function hostState(
  { agent_id, available, timestamp }: Pick<HostRecord, "agent_id" | "available" | "timestamp">,
  { runtime, agent }: Contact,
): HostState {
  if (agent !== undefined) return agentState(agent, { available, timestamp });
  if (agent_id === null && runtime?.connected === false) return { status: "down", word: "Not reachable", since: runtime.since };
  if (available) return { status: "ok", word: "Connected", since: null };
  if (timestamp === null) return { status: "idle", word: "No metrics yet", since: null };
  return agent_id === null
    ? { status: "degraded", word: "No metrics", since: timestamp }
    : { status: "down", word: "Unavailable", since: timestamp };
}

function agentState(
  { status, connection_state, last_seen_at }: NonNullable<Contact["agent"]>,
  { available, timestamp }: Pick<HostRecord, "available" | "timestamp">,
): HostState {
  if (status === "revoked") return { status: "idle", word: "Revoked", since: null };
  if (connection_state === "disconnected") return { status: "down", word: "Not connected", since: last_seen_at };
  if (available) return { status: "ok", word: "Connected", since: null };
  return timestamp === null
    ? { status: "ok", word: "Connected, no metrics yet", since: null }
    : { status: "degraded", word: "No metrics", since: timestamp };
}

/** Whether the figures of a host are from before. */
export function isHostStale(
  { available }: Pick<HostRecord, "available">,
  agent: Pick<AgentRecord, "connection_state"> | undefined,
): boolean {
  return !available || agent?.connection_state === "disconnected";
}

/** Those of the chosen host, or of all. */
export function ofHost<Record extends { agent_id: string | null }>(
  records: readonly Record[],
  host: string | undefined,
): readonly Record[] {
  return host === undefined ? records : records.filter(({ agent_id }) => (agent_id ?? LOCAL_HOST.id) === host);
}

/** A part of a whole in percent; null when one of them is not known. */
export function shareOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.min(100, (part / whole) * 100);
}
