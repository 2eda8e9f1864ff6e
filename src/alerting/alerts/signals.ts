import type { Event } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import { type AlertKey, type AlertSource, type Entity, type Problem, type Resolution, SEVERITIES, type Severity } from "../vocabulary.ts";

/** What an event says of a problem: it is there, or it is over. */
export type Signal = { kind: "raise"; problem: Problem } | { kind: "clear"; key: AlertKey; resolution: Resolution };

const SEVERITY_LABEL = "service.alert.severity";

/** What the container's label says, else the default: the settings of a container have one of their own, which is not asked for here. */
export function severityOf(labels: Readonly<Record<string, string>>, byDefault: Severity): Severity {
  const label = labels[SEVERITY_LABEL]?.trim().toLowerCase();
  return SEVERITIES.find((severity) => severity === label) ?? byDefault;
}

/** Raises a problem; its sentence is cleaned. */
export function raise(problem: Problem): Signal {
  return { kind: "raise", problem: { ...problem, message: cleanName(problem.message, 1000) } };
}

/** Says that a problem is over, since health was seen. */
export function seenWell(source: AlertSource, event: string, entity: Entity, reason: string): Signal {
  return clear({ source, event, entity }, { by: "observation", reason });
}

/** Says that a problem is over, for that or another reason. */
export function clear(key: AlertKey, resolution: Resolution): Signal {
  return { kind: "clear", key, resolution };
}

interface About {
  agent_id: string | null;
  name: string;
  labels?: Record<string, string>;
  alert_channels?: string[];
  alert_tags: string[];
}

/** What is the same for all sources. */
export function about({
  agent_id,
  name,
  labels,
  alert_channels,
  alert_tags,
}: About): Pick<Problem, "agentId" | "entityName" | "labels" | "channels" | "tags"> {
  return { agentId: agent_id, entityName: name, labels: labels ?? {}, channels: alert_channels ?? [], tags: alert_tags };
}

/** Whether an event that tells of a problem says that it was observed just now, and not only that it is still known. */
export function isObservation({ type, data }: Event): boolean {
  if (type === "heartbeat.pinged") return data.kind === "fail" || (data.kind === "exit_code" && data.exit_code !== 0);
  return type !== "heartbeat.updated" || data.change === "timed_out";
}

/**
 * The same of an event by which a source repeats what is wrong. What is looked at all the time is seen to last; a failed run is seen again with the next
 * run, an update with the next scan, and a subscription that was switched off when that happens again.
 */
export function isLasting({ type }: Event): boolean {
  return !type.startsWith("update.") && !type.startsWith("webhook.") && type !== "heartbeat.updated";
}
