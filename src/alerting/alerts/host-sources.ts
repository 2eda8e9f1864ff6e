import type { EventData } from "../../events.ts";
import type { Problem } from "../vocabulary.ts";
import { hostOf } from "./outages.ts";
import type { Recent } from "./recent.ts";
import { about, clear, type Signal } from "./signals.ts";

/** The engine of a host was reached once, and does not answer any more. */
export function runtimeLost({ agent_id, runtime, error, since }: EventData["runtime.lost"], { hostName }: Recent): Problem {
  return {
    ...about({ agent_id, name: hostName(agent_id) ?? agent_id ?? "This host", alert_tags: [] }),
    source: "agent",
    event: "runtime_lost",
    entity: hostOf(agent_id),
    severity: "critical",
    message: `${runtime === "docker" ? "Docker" : runtime} does not answer: its containers are not watched.`,
    cause: error,
    parents: [],
    details: { runtime, error, since },
  };
}

/** Nothing comes from a host. Source: contract, section 6 (agent/disconnected is a warning). */
export function disconnected({ agent_id, name, hostname, since }: EventData["agent.disconnected"]): Problem {
  return {
    ...about({ agent_id, name, alert_tags: [] }),
    source: "agent",
    event: "disconnected",
    entity: hostOf(agent_id),
    severity: "warning",
    message: `${name} is disconnected: nothing came from its agent since ${timeText(since)}. Its containers are not watched.`,
    cause: null,
    parents: [],
    details: { hostname, since },
  };
}

/** Nothing is expected of it any more, whatever was wrong with it. */
export function hostGone({ agent_id }: EventData["agent.deleted"]): Signal[] {
  return [clear("agent", "disconnected", hostOf(agent_id)), clear("agent", "runtime_lost", hostOf(agent_id))];
}

/** `2026-03-01 12:00 UTC`. */
function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}
