import type { AlertRecord } from "../alerts/api.ts";
import type { Notification } from "../vocabulary.ts";

/** What the test button sends: an alert that never was. */
export function testNotification(channelName: string, { baseUrl, now }: { baseUrl: string; now: Date }): Notification<AlertRecord> {
  const timestamp = now.toISOString();
  return {
    event: "test",
    alert: {
      id: 0,
      agent_id: null,
      source: "container",
      event: "test",
      severity: "info",
      status: "active",
      message: `This is a test of the channel "${channelName}". Nothing is wrong.`,
      cause: null,
      entity_type: "channel",
      entity_id: "0",
      entity_name: channelName,
      labels: {},
      tags: [],
      details: {},
      suppressed_by: null,
      fired_at: timestamp,
      last_raised_at: timestamp,
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_note: null,
      resolved_at: null,
      resolved_by: null,
      resolution: null,
      url: baseUrl,
    },
    escalation: null,
    timestamp,
  };
}
