/** Changes of alerts and of notifications; see ../events.ts. */
import type { Severity } from "../observations.ts";
import type { EntityData } from "./entity.ts";

/** An alert as its record shows it; `name` is that of its entity, `id` its own. */
export interface AlertData extends EntityData {
  source: string;
  event: string;
  severity: Severity;
  status: "active" | "resolved";
  message: string;
  cause: string | null;
  entity_type: string;
  entity_id: string;
  entity_name: string;
  /** Of its container, as shown. */
  labels: Record<string, string>;
  tags: string[];
  suppressed_by: "silence" | "maintenance" | "dependency" | null;
  fired_at: string;
  last_raised_at: string;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  acknowledged_note: string | null;
  resolved_at: string | null;
  /** `auto`, or a name. */
  resolved_by: string | null;
  resolution: { by: "observation" | "user" | "removal" | "expiry"; reason: string } | null;
  url: string;
}

/** What every event about something of this server itself says. */
interface ServerData {
  id: number;
  /** It belongs to no host. */
  agent_id: null;
  timestamp: string;
}

/** Where alerts are sent. Never its address or its headers. */
interface ChannelData extends ServerData {
  name: string;
  channel_type: string;
  enabled: boolean;
  health: "untested" | "healthy" | "failing";
  last_delivery_at: string | null;
}

interface SilenceData extends ServerData {
  reason: string;
  starts_at: string;
  ends_at: string;
  matchers: Record<string, string>;
  created_by: string | null;
  cancelled_at: string | null;
  status: "pending" | "active" | "expired" | "cancelled";
}

interface MaintenanceData extends ServerData {
  title: string;
  description: string;
  starts_at: string;
  ends_at: string;
  components: number[];
  entities: { entity_type: string; entity_id: string }[];
  status: "scheduled" | "active" | "ended";
}

interface TriggerData extends ServerData {
  name: string;
  enabled: boolean;
  notify_on_resolve: boolean;
  channel_ids: number[];
}

/* Escalation. Source: specification, Escalation run; contract, section 11. */

interface PolicyData extends ServerData {
  name: string;
  active: boolean;
}

/** A policy at work on one alert; `id` is the run's, `name` its policy's, `agent_id` where the alert is from. */
interface EscalationData extends EntityData {
  policy_id: number;
  alert_id: number;
  status: string;
  /** Levels that were dispatched, of so many. */
  level_index: number;
  levels: number;
  next_level_at: string | null;
}

/* Webhook subscriptions. Source: contract, section 7. */

/** Never its address or its secret. */
interface WebhookData extends ServerData {
  name: string;
  event_types: readonly string[];
  active: boolean;
  failure_count: number;
}

export interface AlertingEvents {
  /** It began (`previous_severity` null), its severity rose, or what held it back is over. */
  "alert.fired": AlertData & { previous_severity: Severity | null };
  "alert.resolved": AlertData;
  "alert.acknowledged": AlertData;
  /** It is recorded but not sent; `suppressed_by` says why. */
  "alert.suppressed": AlertData & { reason: string };
  "channel.created": ChannelData;
  /** Its settings, its rules or its health changed. */
  "channel.updated": ChannelData & { change: "edited" | "rules" | "health" };
  "channel.deleted": ChannelData;
  "channel.tested": ChannelData & { status: "delivered" | "failed"; status_code: number | null; duration_ms: number; error: string | null };
  "silence.created": SilenceData;
  "silence.cancelled": SilenceData;
  /** Its time is over. */
  "silence.expired": SilenceData;
  "maintenance.created": MaintenanceData;
  "maintenance.updated": MaintenanceData;
  "maintenance.deleted": MaintenanceData;
  "maintenance.started": MaintenanceData;
  /** Its time is over, or it was ended, put off or deleted while it was running. */
  "maintenance.ended": MaintenanceData;
  "trigger.created": TriggerData;
  "trigger.updated": TriggerData;
  "trigger.deleted": TriggerData;
  "policy.created": PolicyData;
  /** Edited, switched on or off, or its activity followed the edition. */
  "policy.updated": PolicyData;
  "policy.deleted": PolicyData;
  "escalation.started": EscalationData;
  /** A level was dispatched to its channels; counted from 0. */
  "escalation.level": EscalationData & { level: number };
  "escalation.paused": EscalationData;
  "escalation.resumed": EscalationData;
  /** `status` says why. */
  "escalation.stopped": EscalationData;
  /** Nobody reacted to any level. */
  "escalation.exhausted": EscalationData;
  "webhook.created": WebhookData;
  "webhook.updated": WebhookData;
  "webhook.deleted": WebhookData;
  /** Switched off by the service, since too many deliveries in a row failed. */
  "webhook.disabled": WebhookData & { reason: string };
}

export const ALERTING_EVENTS: Record<keyof AlertingEvents, string> = {
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
  "escalation.level": "the next level of an escalation was notified",
  "escalation.paused": "maintenance pauses an escalation",
  "escalation.resumed": "an escalation continues after maintenance",
  "escalation.stopped": "an escalation ended before its levels did",
  "escalation.exhausted": "every level of an escalation was notified, and nobody reacted",
  "webhook.created": "a webhook subscription was made",
  "webhook.updated": "a webhook subscription was changed",
  "webhook.deleted": "a webhook subscription was deleted",
  "webhook.disabled": "a webhook subscription was switched off, since its deliveries failed again and again",
};
