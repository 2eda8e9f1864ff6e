import type { EventData } from "../../../src/events.ts";
import type { AgentList, AgentRecord } from "../../../src/fleet/agents/answers.ts";

type AgentEvent = Pick<EventData["agent.updated"], "id" | "name" | "hostname" | "status" | "connection_state">;

/** The facts of an event about an agent, put into its record. */
function patchAgent(record: AgentRecord, { name, hostname, status, connection_state }: AgentEvent): AgentRecord {
  return { ...record, label: name, hostname, status, connection_state };
}

/** The list with one agent patched; the others stay the same objects, and without it so does the list. */
function patchOne(list: AgentList, id: string, patch: (record: AgentRecord) => AgentRecord): AgentList {
  if (!list.agents.some((agent) => agent.id === id)) return list;
  return { ...list, agents: list.agents.map((agent) => (agent.id === id ? patch(agent) : agent)) };
}

/** The list after an event about one of its agents. */
export function patchInList(list: AgentList, event: AgentEvent): AgentList {
  return patchOne(list, event.id, (record) => patchAgent(record, event));
}

/** The list after one of its agents was found, or lost: the event has when it was last seen. */
export function patchContact(list: AgentList, event: EventData["agent.connected"] | EventData["agent.disconnected"]): AgentList {
  return patchOne(list, event.id, (record) => ({ ...patchAgent(record, event), last_seen_at: event.since }));
}

/** The list after an agent reported what waits on it. */
export function patchSpool(list: AgentList, event: EventData["agent.spool"]): AgentList {
  return patchOne(list, event.id, (record) => ({ ...patchAgent(record, event), spool: event.spool }));
}

/** The list without an agent. */
export function withoutAgent(list: AgentList, id: string): AgentList {
  const agents = list.agents.filter((agent) => agent.id !== id);
  return { ...list, agents, total: list.total - (list.agents.length - agents.length) };
}
