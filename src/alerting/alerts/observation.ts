import type { Event } from "../../events.ts";

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
