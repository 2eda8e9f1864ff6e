export const INSIGHT_TYPES = [
  "port_exposed_all_interfaces",
  "database_port_exposed",
  "privileged_container",
  "host_network_mode",
  "service_load_balancer",
  "service_node_port",
  "missing_network_policy",
  "host_path_mount",
  "runs_as_root",
  "missing_limits",
  "latest_tag",
] as const;
export type InsightType = (typeof INSIGHT_TYPES)[number];

/** From the worst to the mildest. */
export const INSIGHT_SEVERITIES = ["critical", "high", "medium"] as const;
export type InsightSeverity = (typeof INSIGHT_SEVERITIES)[number];

/** Source: contract, section 10. */
export const SECURITY_BOUNDS = {
  personLength: 128,
  reasonLength: 500,
  keyLength: 64,
  acknowledgments: 10_000,
  /** Acknowledged by one request. */
  atOnce: 500,
  /** Kept of the posture, in days. */
  historyDays: 400,
  ranking: 10,
  steps: 20,
} as const;
