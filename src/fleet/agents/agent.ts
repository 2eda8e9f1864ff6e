import { AGENT_LABEL_LENGTH } from "../../contract/agent.ts";
import type { AgentStatus, AgentData, ConnectionState, Event } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import type { AgentHello, SpoolStatus } from "../seams.ts";

/** How many agents one server takes. */
export const MAX_AGENTS = 5_000;

/** An agent as it is saved. Source: specification, Agent. */
export interface Agent extends AgentHello {
  /** A UUID. */
  id: string;
  label: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
  status: AgentStatus;
  enrolledAt: Date;
  revokedAt: Date | null;
  /** Saved only now and then. */
  lastSeenAt: Date;
  /** When it was last seen before it was found to be disconnected; null while it is connected. */
  lostSince: Date | null;
  /** Not seen since this program started, and so not connected; not saved. */
  awaited: boolean;
  /** How far its clock is ahead of ours; null before its first stream. */
  clockOffsetMs: number | null;
  /** Events for which its spool had no room, by its last report. */
  spoolDropped: number;
}

/** The first of these that is not empty, else the host name: an agent always has a name. */
export function labelOf(wishes: readonly string[], hostname: string): string {
  for (const wish of [...wishes, hostname]) {
    const label = cleanName(wish, AGENT_LABEL_LENGTH);
    if (label !== "") return label;
  }
  return "agent";
}

function helloOf({ version, hostname, os, arch, runtime, capabilities }: AgentHello): AgentHello {
  return { version, hostname, os, arch, runtime, capabilities };
}

export function isSameHello(a: AgentHello, b: AgentHello): boolean {
  return JSON.stringify(helloOf(a)) === JSON.stringify(helloOf(b));
}

/** An agent is disconnected if it was found to be, has not come back since this program started, or is not let in. */
export function connectionOf({ status, lostSince, awaited }: Pick<Agent, "status" | "lostSince" | "awaited">): ConnectionState {
  return status === "active" && lostSince === null && !awaited ? "connected" : "disconnected";
}

export function agentData(agent: Agent, now: Date): AgentData {
  return {
    id: agent.id,
    agent_id: agent.id,
    name: agent.label,
    hostname: agent.hostname,
    status: agent.status,
    connection_state: connectionOf(agent),
    timestamp: now.toISOString(),
  };
}

/** The events of an agent between `before`, as last published, and `after`, as saved now. */
export function eventsBetween(before: Agent, after: Agent, now: Date): Event[] {
  const data = agentData(after, now);
  if (before.status !== after.status) return [{ type: "agent.revoked", data: { ...data, previous_status: before.status } }];
  const events: Event[] = [];
  if (before.label !== after.label || !isSameHello(before, after))
    events.push({ type: "agent.updated", data: { ...data, previous_name: before.label } });
  const previous = connectionOf(before);
  const isLost = before.lostSince === null && after.lostSince !== null;
  if (isLost || previous !== connectionOf(after)) events.push(contactEvent(after, previous, now));
  return events;
}

/** The event that an agent is connected, or that it is not. */
export function contactEvent(agent: Agent, previous: ConnectionState, now: Date): Event<"agent.connected"> | Event<"agent.disconnected"> {
  const data = { ...agentData(agent, now), previous_connection_state: previous };
  if (agent.lostSince === null) return { type: "agent.connected", data: { ...data, lost: false, since: now.toISOString() } };
  return { type: "agent.disconnected", data: { ...data, lost: true, since: agent.lostSince.toISOString() } };
}

export function spoolEvent(agent: Agent, { queued, draining, dropped }: SpoolStatus, now: Date): Event<"agent.spool"> {
  return { type: "agent.spool", data: { ...agentData(agent, now), spool: { queued, draining, dropped } } };
}

/** The longest wait of an agent's schedule, with its jitter. */
const LONGEST_RECONNECT_MS = 75_000;
/** How long connecting takes when all agents connect at once. */
const CONNECT_WITHIN_MS = 10_000;

/** An open stream has a message every five seconds, however short the threshold is. */
const QUIET_STREAM_MS = 20_000;

/** The period over which the rate of events is averaged. */
const RATE_WINDOW_MS = 10_000;

/** The contact to an agent, by the monotonic clock. */
export interface Contact {
  /** Whether a stream of it is open. A proxy may keep a stream open long after the agent is gone. */
  streaming: boolean;
  /** Whether its last message is being saved; nothing more is read until then. */
  taking: boolean;
  /** When the last message of it came. */
  seenMs: number;
}

/** An agent counts as connected if it was seen within the threshold. Source: specification, Agent states. */
export function isConnected({ streaming, taking, seenMs }: Contact, { nowMs, staleMs }: { nowMs: number; staleMs: number }): boolean {
  return taking || nowMs - seenMs <= (streaming ? Math.max(staleMs, QUIET_STREAM_MS) : staleMs);
}

/** How long an agent may take to reconnect after this program was away: it doubles its waits while it cannot reach the server. */
function returnsWithin(awayMs: number): number {
  return Math.min(LONGEST_RECONNECT_MS, CONNECT_WITHIN_MS + 1.25 * awayMs);
}

/** When an agent counts as last seen at the start: when it was, but late enough to leave it the time to reconnect. */
export function seenAtStart(agent: { startMs: number; seenAgoMs: number; awayMs: number; staleMs: number }): number {
  const { startMs, seenAgoMs, awayMs, staleMs } = agent;
  return startMs + Math.max(-Math.max(seenAgoMs, 0), returnsWithin(awayMs) - staleMs);
}

/** The next mean rate per second, after `count` more events within `elapsedMs`; the past counts less and less. */
export function nextRate(rate: number, count: number, elapsedMs: number): number {
  if (elapsedMs <= 0) return rate;
  const weight = 1 - Math.exp(-elapsedMs / RATE_WINDOW_MS);
  return rate + ((count * 1000) / elapsedMs - rate) * weight;
}
