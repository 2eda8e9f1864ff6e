import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Rows } from "./store.ts";

export const ONCALL = 1;
export const TEAM = 2;
export const OFFICE = 3;
const MAIL = 4;

const CHANNELS = [
  { id: ONCALL, name: "On-call", type: "ntfy", url: "https://ntfy.harbour.example/on-call" },
  { id: TEAM, name: "Shop team", type: "slack", url: "https://hooks.slack.com/services/T0DEMO000/B0DEMO000/made-up-for-the-demo" },
  { id: OFFICE, name: "Office", type: "mattermost", url: "https://chat.harbour.example/hooks/made-up-for-the-demo" },
  { id: MAIL, name: "Ledger", type: "webhook", url: "https://ledger.harbour.example/alerts" },
] as const;

const HOOKS = [
  { id: 1, name: "Audit trail", url: "https://ledger.harbour.example/events", types: ["alert.*", "container.state_changed"] },
  { id: 2, name: "Deploy bot", url: "https://bot.harbour.example/hooks/updates", types: ["update.*"] },
] as const;

export const ESCALATION = {
  id: 1,
  name: "Nobody reacts",
  filters: { severities: ["critical"], tags: ["shop"] },
  levels: [
    { delaySeconds: 900, channelIds: [TEAM] },
    { delaySeconds: 1800, channelIds: [ONCALL] },
  ],
};

/** Channels with their rules, and what holds notifications back. */
export function notificationRows(past: readonly PastContainer[], { startMs, nowMs }: Moments): Rows[] {
  const redis = past.find(({ container }) => container.unit === "redis");
  const made = { created_at: startMs, updated_at: startMs };
  return [
    {
      table: "channels",
      rows: CHANNELS.map(({ id, name, type, url }) => ({
        ...{ id, name, name_key: name.toLowerCase(), type, url, headers: "{}", enabled: 1, health: "healthy", last_error: null },
        last_delivery_at: nowMs - 14 * MINUTE_MS,
        ...made,
      })),
    },
    {
      table: "channel_rules",
      rows: [
        { id: 1, channel_id: ONCALL, source: null, severity: "critical", entity_type: null, entity_id: null },
        { id: 2, channel_id: TEAM, source: "container", severity: null, entity_type: null, entity_id: null },
        { id: 3, channel_id: TEAM, source: "endpoint", severity: null, entity_type: null, entity_id: null },
        { id: 4, channel_id: OFFICE, source: "certificate", severity: null, entity_type: null, entity_id: null },
        { id: 5, channel_id: OFFICE, source: "heartbeat", severity: null, entity_type: null, entity_id: null },
      ],
    },
    {
      table: "alert_triggers",
      rows: [
        {
          ...{ id: 1, name: "Everything of the shop", filter_severities: "critical,warning", filter_sources: "container,endpoint" },
          ...{ filter_entities: "", filter_tags: "shop", enabled: 1, notify_on_resolve: 1, channel_ids: JSON.stringify([TEAM]), ...made },
        },
      ],
    },
    {
      table: "silences",
      rows: [
        {
          id: 1,
          reason: "The redis port is for the old till until Friday",
          matchers: JSON.stringify({ source: "security", entity_type: "container", entity_id: String(redis?.id ?? 0) }),
          ...{ starts_at: nowMs - 2 * DAY_MS, ends_at: nowMs + 3 * DAY_MS, created_by: "Mara", created_at: nowMs - 2 * DAY_MS },
          ...{ cancelled_at: null, published: "active" },
        },
        {
          ...{ id: 2, reason: "Load test of the search", matchers: JSON.stringify({ severity: "warning" }) },
          starts_at: nowMs - 12 * DAY_MS,
          ends_at: nowMs - 12 * DAY_MS + 4 * HOUR_MS,
          created_by: "Jon",
          created_at: nowMs - 13 * DAY_MS,
          ...{ cancelled_at: null, published: "expired" },
        },
      ],
    },
    {
      table: "escalation_policies",
      rows: [
        {
          ...{ id: ESCALATION.id, name: ESCALATION.name, active: 1, active_before: null },
          ...{ filters: JSON.stringify(ESCALATION.filters), levels: JSON.stringify(ESCALATION.levels), ...made },
        },
      ],
    },
    {
      table: "webhooks",
      rows: HOOKS.map(({ id, name, url, types }) => ({
        ...{ id, name, url, secret: `whsec_${"made0up0".repeat(4)}`, event_types: JSON.stringify(types), active: 1, disabled_reason: null },
        ...{ last_delivery_at: nowMs - 14 * MINUTE_MS, last_status: "sent", last_status_code: 204, last_error: null, failure_count: 0 },
        ...{ dropped: 0, ...made },
      })),
    },
  ];
}
