/** What changed of the agents on other hosts; see ../events.ts. Source: specification, Agent; contract, section 16. */

export const AGENT_STATUSES = ["active", "revoked"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export const CONNECTION_STATES = ["connected", "disconnected"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** What every event about an agent says. */
export interface AgentData {
  /** The agent's UUID; `agent_id` is the same, as in events about what its host shows. */
  id: string;
  agent_id: string;
  /** Its label. */
  name: string;
  hostname: string;
  status: AgentStatus;
  connection_state: ConnectionState;
  timestamp: string;
}

interface AgentContactData extends AgentData {
  /** Nothing comes from it, although something should. */
  lost: boolean;
  /** Since when it is so: of one that is lost, when it was last seen. */
  since: string;
}

export interface SpoolData {
  /** Events that wait on the agent. */
  queued: number;
  /** It sends what happened while it was cut off. */
  draining: boolean;
  /** Events that its spool had no room for. */
  dropped: number;
}

export interface FleetEvents {
  "agent.created": AgentData;
  "agent.connected": AgentContactData & { previous_connection_state: ConnectionState };
  "agent.disconnected": AgentContactData & { previous_connection_state: ConnectionState };
  /** Its label or what it says of itself changed. */
  "agent.updated": AgentData & { previous_name: string };
  "agent.revoked": AgentData & { previous_status: AgentStatus };
  "agent.deleted": AgentData;
  "agent.spool": AgentData & { spool: SpoolData };
}

export const FLEET_EVENTS: Record<keyof FleetEvents, string> = {
  "agent.created": "an agent enrolled",
  "agent.connected": "an agent that was not connected is",
  "agent.disconnected": "nothing came from an agent for longer than the stale threshold",
  "agent.updated": "an agent's label, or what it says of itself, changed",
  "agent.revoked": "an agent was revoked: its stream is closed, and it is not let in again",
  "agent.deleted": "an agent was deleted with everything that its host showed",
  "agent.spool": "what waits on an agent changed",
};
