import type { EventName } from "../../../../src/events.ts";
import type { Option } from "../notifications/many-picker.tsx";

/** Every event that a subscription can name, and when it is sent. */
const EVENT_WORDS: Readonly<Record<EventName, string>> = {
  "container.discovered": "a container appeared",
  "container.state_changed": "state transition",
  "container.health_changed": "health status change",
  "container.restart_alert": "restart loop detected, made worse, or over",
  "container.down": "a container has been down for a while, or is no longer",
  "container.updated": "name, image, labels, ports or settings changed",
  "container.archived": "a container was removed from its host",
  "container.label_errors": "labels that were not understood",
  "resource.snapshot": "what a host and its containers use, every 10 seconds",
  "resource.alert": "a container exceeds a threshold",
  "resource.recovery": "a container's usage is back to normal",
  "endpoint.check_result": "a check of an endpoint was completed",
  "endpoint.alert": "an endpoint failed as often in a row as its threshold",
  "endpoint.recovery": "an endpoint recovered, or is not checked any more",
  "endpoint.created": "an endpoint is checked from now on",
  "endpoint.updated": "the definition or the status of an endpoint changed",
  "endpoint.removed": "an endpoint was deleted, or its label is gone",
  "certificate.alert": "a certificate crossed a threshold before its expiry, is expired, or its chain is not valid",
  "certificate.recovery": "a certificate was renewed or put right",
  "certificate.created": "a certificate is watched from now on",
  "certificate.updated": "a certificate was checked, or its settings changed",
  "certificate.deleted": "a certificate is not watched any more",
  "heartbeat.created": "a heartbeat was made",
  "heartbeat.pinged": "ping received",
  "heartbeat.deadline_missed": "deadline missed",
  "heartbeat.recovered": "a job succeeded after something was wrong",
  "heartbeat.updated": "a heartbeat was edited, paused or resumed, or a run of its job did not end in time",
  "heartbeat.deleted": "a heartbeat was deleted",
  "alert.fired": "an alert began, or its severity rose",
  "alert.resolved": "an alert is over",
  "alert.acknowledged": "somebody took an alert on",
  "alert.suppressed": "an alert is recorded but not sent",
  "channel.created": "a notification channel was made",
  "channel.updated": "the settings, the rules or the health of a channel changed",
  "channel.deleted": "a channel was deleted",
  "channel.tested": "a test message was sent to a channel",
  "silence.created": "a silence was made",
  "silence.cancelled": "a silence was cancelled",
  "silence.expired": "the time of a silence is over",
  "maintenance.created": "a maintenance window was planned",
  "maintenance.updated": "a maintenance window was changed",
  "maintenance.deleted": "a maintenance window was deleted",
  "maintenance.started": "a maintenance window began",
  "maintenance.ended": "a maintenance window is over",
  "trigger.created": "an alert trigger was made",
  "trigger.updated": "an alert trigger was changed",
  "trigger.deleted": "an alert trigger was deleted",
  "policy.created": "an escalation policy was made",
  "policy.updated": "an escalation policy was changed",
  "policy.deleted": "an escalation policy was deleted",
  "escalation.started": "an escalation policy began to work on an alert",
  "escalation.level": "the next level of an escalation was told",
  "escalation.paused": "maintenance pauses an escalation",
  "escalation.resumed": "an escalation goes on after maintenance",
  "escalation.stopped": "an escalation ended before its levels did",
  "escalation.exhausted": "every level of an escalation was told, and nobody reacted",
  "webhook.created": "a webhook subscription was made",
  "webhook.updated": "a webhook subscription was changed",
  "webhook.deleted": "a webhook subscription was deleted",
  "webhook.disabled": "a webhook subscription was switched off, since its deliveries failed again and again",
  "runtime.status_changed": "the container runtime was reached or lost",
  "runtime.lost": "the container runtime has been lost for half a minute, or is back",
};

/** What comes all the time: sent only to those who name it. */
const FREQUENT: ReadonlySet<string> = new Set<EventName>(["resource.snapshot", "endpoint.check_result"]);

/** What can be chosen: everything, everything of a kind, each event. */
export const EVENT_OPTIONS: readonly Option[] = eventOptions();

function eventOptions(): Option[] {
  const events = Object.entries(EVENT_WORDS);
  const kinds = [...new Set(events.map(([name]) => kindOf(name)))];
  return [
    { value: "*", label: "*", note: "everything, but what comes every few seconds" },
    ...kinds.flatMap((kind) => [
      { value: `${kind}.*`, label: `${kind}.*`, note: `everything about ${kind}s` },
      ...events
        .filter(([name]) => kindOf(name) === kind)
        .map(([name, words]) => ({ value: name, label: name, note: FREQUENT.has(name) ? `${words}; often` : words })),
    ]),
  ];
}

function kindOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/** What is chosen after a choice: everything takes the place of the rest, and whatever is named after it takes its place. */
export function chooseEvents(before: readonly string[], next: readonly string[]): string[] {
  const added = next.filter((type) => !before.includes(type));
  if (added.includes("*")) return next.filter((type) => type === "*" || FREQUENT.has(type));
  return added.some((type) => !FREQUENT.has(type)) ? next.filter((type) => type !== "*") : [...next];
}

/** Which events a subscription gets, in a line. */
export function eventsSummary(types: readonly string[]): string {
  if (types.includes("*")) {
    const named = types.filter((type) => FREQUENT.has(type));
    return named.length === 0 ? "Every event" : `Every event, and ${named.join(", ")}`;
  }
  const shown = types.slice(0, SHOWN).join(", ");
  return types.length > SHOWN ? `${shown} and ${types.length - SHOWN} more` : shown;
}

const SHOWN = 4;
