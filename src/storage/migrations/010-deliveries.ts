import type { Migration } from "./migration.ts";

/**
 * What is to be told to whom, and what came of it. Times as in 001.
 *
 * `delivery_notifications` holds what an order tells, once for all its rows. `next_attempt_at` is null when a delivery is settled. Several programs may
 * share a database: a channel belongs to the `owner` in `delivery_lanes` until `leased_until`, a subscription to its `leased_by`.
 * A webhook delivery's `body` is the bytes that are signed and sent; it is emptied when nothing is sent any more.
 */
export const deliveries: Migration = {
  name: "010-deliveries",
  statements: ({ generatedKey }) => [
    `CREATE TABLE delivery_notifications (
      id ${generatedKey},
      body TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE deliveries (
      id ${generatedKey},
      notification_id BIGINT NOT NULL,
      alert_id BIGINT NOT NULL,
      channel_id BIGINT NOT NULL,
      event TEXT NOT NULL,
      escalation_run_id BIGINT,
      escalation_level BIGINT,
      notify_on_resolve BIGINT NOT NULL,
      because TEXT NOT NULL,
      replay_of BIGINT,
      status TEXT NOT NULL,
      attempts BIGINT NOT NULL,
      next_attempt_at BIGINT,
      last_attempt_at BIGINT,
      last_status_code BIGINT,
      last_error TEXT,
      sent_at BIGINT,
      created_at BIGINT NOT NULL
    )`,
    "CREATE INDEX deliveries_due ON deliveries (channel_id, next_attempt_at, id) WHERE status = 'pending'",
    "CREATE INDEX deliveries_alert ON deliveries (alert_id, channel_id, id)",
    "CREATE INDEX deliveries_channel ON deliveries (channel_id, id)",
    "CREATE INDEX deliveries_failed ON deliveries (id) WHERE status = 'failed'",
    "CREATE INDEX deliveries_escalation ON deliveries (id) WHERE escalation_run_id IS NOT NULL",
    `CREATE TABLE delivery_lanes (
      channel_id BIGINT PRIMARY KEY,
      owner TEXT NOT NULL,
      leased_until BIGINT NOT NULL
    )`,
    `CREATE TABLE webhooks (
      id ${generatedKey},
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      secret TEXT NOT NULL,
      event_types TEXT NOT NULL,
      active BIGINT NOT NULL,
      disabled_reason TEXT,
      last_delivery_at BIGINT,
      last_status TEXT,
      last_status_code BIGINT,
      last_error TEXT,
      failure_count BIGINT NOT NULL,
      dropped BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      leased_by TEXT,
      leased_until BIGINT NOT NULL
    )`,
    `CREATE TABLE webhook_deliveries (
      id ${generatedKey},
      webhook_id BIGINT NOT NULL,
      event_id TEXT NOT NULL,
      type TEXT NOT NULL,
      body TEXT NOT NULL,
      status TEXT NOT NULL,
      attempts BIGINT NOT NULL,
      next_attempt_at BIGINT,
      last_attempt_at BIGINT,
      last_status_code BIGINT,
      last_error TEXT,
      sent_at BIGINT,
      created_at BIGINT NOT NULL
    )`,
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, id) WHERE status = 'pending'",
    "CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhook_id, id)",
  ],
};
