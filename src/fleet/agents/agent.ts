import { AGENT_LABEL_LENGTH } from "../../contract/agent.ts";
import type { AgentStatus, AgentData, ConnectionState, Event } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import type { AgentHello, SpoolStatus } from "../seams.ts";

/** Agents of one server. */
export const MAX_AGENTS = 5_000;

const MAX_CAPABILITIES = 32;

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
  /** Saved now and then only. */
  lastSeenAt: Date;
  /** When it was last seen before it was found to be disconnected; null while it is connected. */
  lostSince: Date | null;
  /** Not seen since this program started, so not connected; not saved. */
  awaited: boolean;
  /** How far its clock is ahead of ours; null before its first stream. */
  clockOffsetMs: number | null;
  /** Events that its spool had no room for, by its last report. */
  spoolDropped: number;
}

/** What an agent says of itself, cleaned and bounded: it is shown. */
export function cleanHello({ version, hostname, os, arch, runtime, capabilities }: AgentHello): AgentHello {
  return {
    version: cleanName(version, 64),
    hostname: cleanName(hostname, 255),
    os: cleanName(os, 128),
    arch: cleanName(arch, 32),
    runtime,
    capabilities: capabilities
      .slice(0, MAX_CAPABILITIES)
      .map((name) => cleanName(name, 64))
      .filter((name) => name !== ""),
  };
}

/** The first of these that says something, else the host name: an agent has a name always. */
export function labelOf(wishes: readonly string[], hostname: string): string {
  for (const wish of [...wishes, hostname]) {
    const label = cleanName(wish, AGENT_LABEL_LENGTH);
    if (label !== "") return label;
  }
  return "agent";
}

export function helloOf({ version, hostname, os, arch, runtime, capabilities }: AgentHello): AgentHello {
  return { version, hostname, os, arch, runtime, capabilities };
}

export function isSameHello(a: AgentHello, b: AgentHello): boolean {
  return JSON.stringify(helloOf(a)) === JSON.stringify(helloOf(b));
}

/** Disconnected is who was found to be, who has not come back since our start, and who is not let in. */
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

/** The events of an agent of which `before` was published last and `after` is saved now. */
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

/** That an agent is connected, or is not. */
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
/** To connect, when all agents do at once. */
const CONNECT_WITHIN_MS = 10_000;

/** A stream that is open says something every five seconds, however short the threshold is. */
const QUIET_STREAM_MS = 20_000;

/** Over how long the rate of events is averaged. */
const RATE_WINDOW_MS = 10_000;

/** What is known of an agent's contact, on a clock that only rises. */
export interface Contact {
  /** A stream of it is open; what stands between may keep it open for long after it is gone. */
  streaming: boolean;
  /** What came of it is being saved, and nothing more is read until it is. */
  taking: boolean;
  /** When something last came from it. */
  seenMs: number;
}

/** Connected is who was seen within the threshold. Source: specification, Agent states. */
export function isConnected({ streaming, taking, seenMs }: Contact, { nowMs, staleMs }: { nowMs: number; staleMs: number }): boolean {
  return taking || nowMs - seenMs <= (streaming ? Math.max(staleMs, QUIET_STREAM_MS) : staleMs);
}

/** How long an agent may take to come back after we were away: it doubles its waits while it cannot reach us. */
function returnsWithin(awayMs: number): number {
  return Math.min(LONGEST_RECONNECT_MS, CONNECT_WITHIN_MS + 1.25 * awayMs);
}

/** When an agent counts as seen at our start: when it last was, but no earlier than leaves it the time to come back. */
export function seenAtStart(agent: { startMs: number; seenAgoMs: number; awayMs: number; staleMs: number }): number {
  const { startMs, seenAgoMs, awayMs, staleMs } = agent;
  return startMs + Math.max(-Math.max(seenAgoMs, 0), returnsWithin(awayMs) - staleMs);
}

/** The next mean rate, a second, after `count` more within `elapsedMs`; the past counts for less and less. */
export function nextRate(rate: number, count: number, elapsedMs: number): number {
  if (elapsedMs <= 0) return rate;
  const weight = 1 - Math.exp(-elapsedMs / RATE_WINDOW_MS);
  return rate + ((count * 1000) / elapsedMs - rate) * weight;
}
