/** What an alert can be about. */
export const ALERT_SOURCES = [
  "container",
  "endpoint",
  "heartbeat",
  "certificate",
  "resource",
  "update",
  "agent",
  "security",
  "webhook",
  "swarm",
  "kubernetes",
] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

export const ALERT_STATUSES = ["active", "resolved"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** From the worst to the mildest. */
export const SEVERITIES = ["critical", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Source: contract, section 6. */
export const ALERT_BOUNDS = { personLength: 128, noteLength: 1000, entityTypeLength: 64, entityIdLength: 255 } as const;
