import type { ShownAlert, AlertTrace } from "../../../../../src/alerting/alerts/answers.ts";
import type { DeliveryRecord } from "../../../../../src/alerting/deliveries/answers.ts";
import { alertImpact, IMPACT_STATUS } from "../../../format/impact.ts";
import type { Status } from "../../../format/status.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { evaluationsOf, verdictWords } from "./trace-words.ts";

/** Something that happened to an alert. */
export interface Marker {
  at: string;
  status: Status;
  what: string;
  /** More about it; empty when there is nothing. */
  more: string;
}

/** What happened to an alert, the latest first. */
export function timelineOf(alert: ShownAlert, trace: AlertTrace | undefined, channelName: (id: number) => string): Marker[] {
  const { acknowledged_at, acknowledged_by, acknowledged_note, resolved_at, resolved_by, resolution } = alert;
  const markers: Marker[] = [{ at: alert.fired_at, status: IMPACT_STATUS[alertImpact(alert)], what: "Fired", more: "" }];
  for (const { transition, at, stages } of trace === undefined ? [] : evaluationsOf(trace)) {
    const held = stages.findLast(({ verdict }) => verdict === "held");
    if (held !== undefined) markers.push({ at, status: verdictWords(held).status, what: "Suppressed", more: withLocalTimes(held.text) });
    else if (transition === "raised") markers.push({ at, status: IMPACT_STATUS[alertImpact(alert)], what: "Severity raised", more: "" });
    else if (transition === "released") markers.push({ at, status: "idle", what: "No longer suppressed", more: "" });
  }
  for (const delivery of trace?.deliveries ?? []) {
    const marker = describeDelivery(delivery, channelName);
    if (marker !== undefined) markers.push(marker);
  }
  if (acknowledged_at !== null)
    markers.push({
      at: acknowledged_at,
      status: "idle",
      what: `Acknowledged by ${acknowledged_by ?? "someone"}`,
      more: acknowledged_note ?? "",
    });
  if (resolved_at !== null)
    markers.push({
      at: resolved_at,
      status: "ok",
      what: resolved_by === null || resolved_by === "auto" ? "Resolved" : `Resolved by ${resolved_by}`,
      more: resolution === null || resolution.by === "user" ? "" : withLocalTimes(resolution.reason),
    });
  // What happened at the same moment keeps the order of cause and effect.
  return markers.toSorted((one, other) => one.at.localeCompare(other.at)).toReversed();
}

function describeDelivery(delivery: DeliveryRecord, channelName: (id: number) => string): Marker | undefined {
  const { status, sent_at, channel_id, last_error, last_attempt_at } = delivery;
  const name = channelName(channel_id);
  if (status === "sent" && sent_at !== null) return { at: sent_at, status: "ok", what: `Sent to ${name}`, more: eventOf(delivery) };
  if (status !== "failed" || last_attempt_at === null) return undefined;
  return { at: last_attempt_at, status: "degraded", what: `Failed to send to ${name}`, more: last_error ?? "" };
}

/** What was delivered to the channel, as a sentence. */
function eventOf({ event, escalation }: DeliveryRecord): string {
  if (escalation !== null && event === "alert.fired") return `Level ${escalation.level + 1} of an escalation.`;
  return { "alert.fired": "", "alert.resolved": "Resolve notification.", "alert.acknowledged": "Acknowledgment notification.", test: "" }[
    event
  ];
}
