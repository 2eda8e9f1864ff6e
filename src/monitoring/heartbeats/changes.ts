import { wireTime } from "../../contract/time.ts";
import type { Event, EventData } from "../../events.ts";
import type { DueChange, Heartbeat, Ping } from "./heartbeat.ts";

/** What changes heartbeats is done one after another, so that each is decided by what the one before has saved. */
export const ONE_BY_ONE = "heartbeats";

/** A heartbeat with the identifier that storage gave it. */
export type SavedHeartbeat = Heartbeat & { id: number };

/** What every event about a heartbeat says. */
function about(previous: Heartbeat, { id, ...heartbeat }: SavedHeartbeat, at: Date): EventData["heartbeat.created"] {
  return {
    id,
    agent_id: heartbeat.agentId,
    name: heartbeat.name,
    alert_tags: [...heartbeat.tags],
    status: heartbeat.status,
    previous_status: previous.status,
    reason: heartbeat.reason,
    previous_reason: previous.reason,
    failing_since: wireTime(heartbeat.failingSince),
    last_ping_at: wireTime(heartbeat.lastPingAt),
    next_deadline_at: wireTime(heartbeat.deadlineAt),
    current_run_started_at: wireTime(heartbeat.runs[0]?.startedAt ?? null),
    last_exit_code: heartbeat.lastExitCode,
    last_duration_ms: heartbeat.lastDurationMs,
    timestamp: at.toISOString(),
  };
}

export function pingEvents(previous: SavedHeartbeat, next: SavedHeartbeat, { at, kind, exitCode }: Ping): Event[] {
  const data = about(previous, next, at);
  const pinged: Event = { type: "heartbeat.pinged", data: { ...data, heartbeat_id: next.id, kind, exit_code: exitCode } };
  if (previous.failingSince === null || next.reason !== null) return [pinged];
  return [pinged, { type: "heartbeat.recovered", data: { ...data, failed_since: previous.failingSince.toISOString() } }];
}

/** The event of a heartbeat that was due. */
export function dueEvent(previous: SavedHeartbeat, next: SavedHeartbeat, { at, what }: { at: Date; what: DueChange["what"] }): Event {
  const data = about(previous, next, at);
  if (what === "timed_out") return { type: "heartbeat.updated", data: { ...data, change: what } };
  return { type: "heartbeat.deadline_missed", data: { ...data, deadline_at: (previous.deadlineAt ?? at).toISOString() } };
}

/** The events to publish again for a heartbeat that has a problem now. */
export function problemEvents(heartbeat: SavedHeartbeat, at: Date): Event[] {
  if (heartbeat.reason === null) return [];
  const data = about(heartbeat, heartbeat, at);
  const deadlineAt = heartbeat.failingSince ?? at;
  if (heartbeat.reason === "deadline")
    return [{ type: "heartbeat.deadline_missed", data: { ...data, deadline_at: deadlineAt.toISOString() } }];
  return [{ type: "heartbeat.updated", data: { ...data, change: heartbeat.reason === "timeout" ? "timed_out" : "edited" } }];
}

export function updatedEvent(
  previous: SavedHeartbeat,
  next: SavedHeartbeat,
  { at, change }: { at: Date; change: "edited" | "paused" | "resumed" },
): Event {
  return { type: "heartbeat.updated", data: { ...about(previous, next, at), change } };
}

export function lifeEvent(type: "heartbeat.created" | "heartbeat.deleted", heartbeat: SavedHeartbeat, at: Date): Event {
  return { type, data: about(heartbeat, heartbeat, at) };
}
