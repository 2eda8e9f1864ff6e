import type { EventData } from "../../events.ts";
import type { Problem } from "../vocabulary.ts";
import type { Recent } from "./recent.ts";
import { about, clear, type Signal, hostOf } from "./signals.ts";

/** The engine of a host was reached once and no longer answers, or it came back without some of its containers. */
export function runtimeLost(
  { agent_id, runtime, error, stopped, stopped_count, since, back_at }: EventData["runtime.lost"],
  { hostName }: Recent,
): Problem {
  return {
    ...about({ agent_id, name: hostName(agent_id) ?? agent_id ?? "Local", alert_tags: [] }),
    source: "agent",
    event: "runtime_lost",
    entity: hostOf(agent_id),
    severity: "critical",
    message:
      back_at === null ? "The container engine is unreachable: its containers are not monitored." : stoppedText(stopped, stopped_count),
    cause: error,
    parents: [],
    details: { runtime, error, since, back_at, stopped, stopped_count },
  };
}

const MOST_NAMED = 10;

function stoppedText(names: readonly string[], count: number): string {
  const more = count > MOST_NAMED ? `, and ${count - MOST_NAMED} more` : "";
  const which = count === 1 ? "A container that stopped with it is" : `${count} containers that stopped with it are`;
  return `The container engine is back after an outage. ${which} not running: ${names.slice(0, MOST_NAMED).join(", ")}${more}.`;
}

/** A host sends nothing. Source: contract, section 6 (agent/disconnected is a warning). */
export function disconnected({ agent_id, name, hostname, since }: EventData["agent.disconnected"]): Problem {
  return {
    ...about({ agent_id, name, alert_tags: [] }),
    source: "agent",
    event: "disconnected",
    entity: hostOf(agent_id),
    severity: "warning",
    message: `${name} is disconnected: no data from its agent since ${timeText(since)}. Its containers are not monitored.`,
    cause: null,
    parents: [],
    details: { hostname, since },
  };
}

/** Ends all problems of a host that was deleted. */
export function hostGone({ agent_id }: EventData["agent.deleted"]): Signal[] {
  const removed = { by: "removal", reason: "The agent was revoked or deleted." } as const;
  return (["disconnected", "runtime_lost"] as const).map((event) => clear({ source: "agent", event, entity: hostOf(agent_id) }, removed));
}

/** `2026-03-01 12:00 UTC`. */
function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}
