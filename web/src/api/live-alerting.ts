import type { QueryClient } from "@tanstack/react-query";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";

type Kind = "channel" | "trigger" | "silence" | "maintenance" | "webhook" | "policy" | "escalation";
/** What is read again when one of a kind changed: all whose keys begin with this. */
const READ: Readonly<Record<Kind, string>> = {
  channel: "channels",
  trigger: "triggers",
  silence: "silences",
  maintenance: "maintenance",
  webhook: "webhooks",
  policy: "policies",
  escalation: "policies",
};

/** Keeps what is known of how alerts are sent and held back as events say: what one is about is read again. */
export function createAlertingUpdates(queryClient: QueryClient): LiveUpdates<Kind> {
  const changed = new Set<string>();
  const alertIds = new Set<number>();
  const rereadSoon = coalesce(
    () => {
      for (const key of changed) void queryClient.invalidateQueries({ queryKey: [key] });
      for (const id of alertIds) void queryClient.invalidateQueries({ queryKey: ["alert", id] });
      changed.clear();
      alertIds.clear();
    },
    { quietMs: 250, longestMs: 1000 },
  );

  function reread(kind: Kind): () => void {
    return () => {
      changed.add(READ[kind]);
      rereadSoon.call();
    };
  }

  /** Alerts show until when they are silenced. */
  function silenced(): void {
    changed.add("alerts");
    changed.add("alert");
    reread("silence")();
  }

  /** The page of the alert shows its escalations. */
  function escalated({ alert_id }: { alert_id: number }): void {
    alertIds.add(alert_id);
    reread("escalation")();
  }

  return {
    events: {
      "channel.created": reread("channel"),
      "channel.updated": reread("channel"),
      "channel.deleted": reread("channel"),
      "channel.tested": reread("channel"),
      "trigger.created": reread("trigger"),
      "trigger.updated": reread("trigger"),
      "trigger.deleted": reread("trigger"),
      "silence.created": silenced,
      "silence.cancelled": silenced,
      "silence.expired": silenced,
      "maintenance.created": reread("maintenance"),
      "maintenance.updated": reread("maintenance"),
      "maintenance.deleted": reread("maintenance"),
      "maintenance.started": reread("maintenance"),
      "maintenance.ended": reread("maintenance"),
      "webhook.created": reread("webhook"),
      "webhook.updated": reread("webhook"),
      "webhook.deleted": reread("webhook"),
      "webhook.disabled": reread("webhook"),
      "policy.created": reread("policy"),
      "policy.updated": reread("policy"),
      "policy.deleted": reread("policy"),
      "escalation.started": escalated,
      "escalation.level": escalated,
      "escalation.paused": escalated,
      "escalation.resumed": escalated,
      "escalation.stopped": escalated,
      "escalation.exhausted": escalated,
    },
    reread() {
      for (const key of Object.values(READ)) changed.add(key);
      rereadSoon.call();
    },
    cancel: () => rereadSoon.cancel(),
  };
}
