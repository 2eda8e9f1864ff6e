import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { ago, json, type Rows } from "./row.ts";

const DELIVERY = {
  escalation_run_id: null,
  escalation_level: null,
  notify_on_resolve: 1,
  because: "rule 1 of this channel",
  replay_of: null,
  attempts: 1,
  next_attempt_at: null,
};

const PLAN = {
  name: "Nights",
  filters: { severities: ["critical"], tags: [] },
  levels: [
    { delaySeconds: 300, channelIds: [1] },
    { delaySeconds: 86_400, channelIds: [2] },
  ],
};

/** What was sent because of alerts, and what follows when nobody reacts. */
export const DELIVERIES: Rows = {
  vapid_keys: [
    {
      id: 1,
      name: "web push",
      // Of the example of RFC 8291.
      public_key: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
      private_key: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
      created_at: ago(HOUR_MS),
    },
  ],
  delivery_notifications: [
    {
      id: 1,
      body: json({ event: "alert.fired", alert: { id: 1 }, escalation: null, timestamp: new Date(ago(HOUR_MS)).toISOString() }),
      created_at: ago(HOUR_MS),
    },
  ],
  deliveries: [
    {
      ...DELIVERY,
      id: 1,
      notification_id: 1,
      alert_id: 1,
      channel_id: 1,
      event: "alert.fired",
      status: "sent",
      last_attempt_at: ago(HOUR_MS),
      last_status_code: 200,
      last_error: null,
      sent_at: ago(HOUR_MS),
      created_at: ago(HOUR_MS),
    },
    {
      ...DELIVERY,
      id: 2,
      notification_id: 1,
      alert_id: 1,
      channel_id: 1,
      event: "alert.fired",
      escalation_run_id: 1,
      escalation_level: 0,
      because: "escalation policy Nights",
      status: "failed",
      attempts: 3,
      last_attempt_at: ago(55 * MINUTE_MS),
      last_status_code: 500,
      last_error: "answered 500",
      sent_at: null,
      created_at: ago(55 * MINUTE_MS),
    },
  ],
  outbox_lanes: ["deliveries", "webhook_deliveries", "status_mails"].map((outbox) => ({
    ...{ outbox, lane: 1, owner: "an-earlier-program", leased_until: ago(HOUR_MS) },
  })),
  escalation_policies: [
    {
      id: 1,
      name: "Nights",
      active: 1,
      active_before: null,
      filters: json(PLAN.filters),
      levels: json(PLAN.levels),
      created_at: ago(15 * DAY_MS),
      updated_at: ago(15 * DAY_MS),
    },
  ],
  escalation_runs: [
    {
      id: 1,
      alert_id: 1,
      policy_id: 1,
      plan: json(PLAN),
      status: "stopped_by_ack",
      level_index: 1,
      started_at: ago(HOUR_MS),
      paused_at: null,
      paused_until: null,
      paused_ms: 0,
      next_at: null,
      due_at: null,
      ended_at: ago(50 * MINUTE_MS),
      version: 3,
    },
  ],
  escalation_deliveries: [
    {
      id: 1,
      run_id: 1,
      delivery_id: 2,
      channel_id: 1,
      level_index: 0,
      kind: "level",
      event: "alert.fired",
      status: "failed",
      error: "answered 500",
      created_at: ago(55 * MINUTE_MS),
      settled_at: ago(54 * MINUTE_MS),
    },
  ],
  webhooks: [
    {
      id: 1,
      name: "Ledger",
      url: "https://ledger.example.org/in",
      secret: "whsec_0123456789abcdef0123456789abcdef",
      event_types: json(["alert.fired", "container.state_changed"]),
      active: 1,
      disabled_reason: null,
      last_delivery_at: ago(HOUR_MS),
      last_status: "sent",
      last_status_code: 204,
      last_error: null,
      failure_count: 0,
      dropped: 2,
      created_at: ago(14 * DAY_MS),
      updated_at: ago(14 * DAY_MS),
    },
  ],
  webhook_deliveries: [
    {
      id: 1,
      webhook_id: 1,
      event_id: "evt-1",
      type: "alert.fired",
      body: "",
      status: "sent",
      attempts: 1,
      next_attempt_at: null,
      last_attempt_at: ago(HOUR_MS),
      last_status_code: 204,
      last_error: null,
      sent_at: ago(HOUR_MS),
      created_at: ago(HOUR_MS),
    },
  ],
};
