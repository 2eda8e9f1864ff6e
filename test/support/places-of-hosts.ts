/** Messages about what was deleted, until they arrived. */
export const IN_TRANSIT = ["delivery_notifications.body"];

/** Tables in which a column identifies a host's rows. */
export const KEPT_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  alerts: ["agent_id"],
  containers: ["agent_id"],
  endpoints: ["agent_id"],
  heartbeats: ["agent_id"],
  certificates: ["agent_id"],
  status_components: ["agent_id"],
  security_acknowledgments: ["host"],
  update_pins: ["host"],
  image_runs: ["host"],
  update_comparisons: ["host"],
};

/** Where a host of the test is named: in every column that may name one. */
export const EVERYWHERE = [
  "agents.id",
  "alerts.agent_id",
  "alerts.parents",
  "certificates.agent_id",
  ...["container_generations.agent_id", "container_generations.container_id"],
  "containers.agent_id",
  "delivery_notifications.body",
  ...["endpoints.agent_id", "endpoints.container_id"],
  "enrollment_tokens.agent_id",
  ...["heartbeats.agent_id", "heartbeats.uuid"],
  ...["image_runs.container_id", "image_runs.container_ids", "image_runs.host"],
  "kubernetes_events.agent_id",
  "resource_breaches.container_id",
  "resource_scope_thresholds.scope_id",
  "resource_thresholds.container_id",
  ...["security_acknowledgments.container_id", "security_acknowledgments.host"],
  "security_posture_days.host",
  "silences.matchers",
  ...["status_components.agent_id", "status_components.monitor_scope"],
  "transitions.container_id",
  "update_comparisons.host",
  ...["update_pins.container_id", "update_pins.host"],
  "watched_spans.agent_id",
];
