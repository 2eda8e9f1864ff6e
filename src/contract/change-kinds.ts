/** What can have changed; of the same time, the first of these comes first. A cursor names a kind by its place here. */
export const CHANGE_KINDS = [
  "alert_raised",
  "alert_resolved",
  "alert_acknowledged",
  "container_changed",
  "container_removed",
  "image_changed",
  "endpoint_changed",
  "heartbeat_changed",
  "certificate_changed",
  "update_found",
  "agent_enrolled",
  "agent_revoked",
  "agent_lost",
  "incident_said",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
