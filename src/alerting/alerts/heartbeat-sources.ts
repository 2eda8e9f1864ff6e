import type { EventData, HeartbeatReason } from "../../events.ts";
import type { AlertKey } from "../vocabulary.ts";
import { agoText } from "./recent.ts";
import { about, clear, raise, type Signal } from "./signals.ts";

export function heartbeatSignals(data: EventData["heartbeat.created"]): Signal[] {
  if (data.reason === null) {
    return [
      clear(
        keyOf(data.id),
        data.status === "paused" ? { by: "user", reason: "It was paused." } : { by: "observation", reason: "It reported again." },
      ),
    ];
  }
  const { id, reason, last_exit_code, last_ping_at, failing_since, current_run_started_at } = data;
  return [
    raise({
      ...about(data),
      ...keyOf(id),
      severity: "critical",
      message: `${data.name} ${HEARTBEAT_WORDS[reason](data)}.`,
      cause: last_ping_at === null ? "no report yet" : reportedBefore(data.timestamp, last_ping_at),
      parents: [],
      details: { reason, exit_code: reason === "exit_code" ? last_exit_code : null, last_ping_at, failing_since, current_run_started_at },
    }),
  ];
}

export function heartbeatDeleted({ id }: EventData["heartbeat.deleted"]): Signal[] {
  return [clear(keyOf(id), { by: "removal", reason: "The heartbeat was deleted." })];
}

function keyOf(id: number): AlertKey {
  return { source: "heartbeat", event: "deadline_missed", entity: { type: "heartbeat", id: String(id) } };
}

const HEARTBEAT_WORDS: Record<HeartbeatReason, (data: EventData["heartbeat.created"]) => string> = {
  deadline: () => "did not report in time",
  exit_code: ({ last_exit_code }) => `ended with exit code ${last_exit_code ?? "unknown"}`,
  fail: () => "reported a failure",
  timeout: () => "exceeded its max runtime",
};

/** Nothing of a report that is the failure itself. */
function reportedBefore(at: string, lastPingAt: string): string | null {
  const agoMs = Date.parse(at) - Date.parse(lastPingAt);
  return agoMs < 1000 ? null : `last report ${agoText(agoMs)} ago`;
}
