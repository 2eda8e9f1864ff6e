import type { AgentData, ConnectionState, Event } from "../../events.ts";
import type { SpoolStatus } from "../seams.ts";
import { type Agent, isSameHello } from "./agent.ts";

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

/** What to tell of an agent of which `before` was told last and `after` is saved now. */
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
