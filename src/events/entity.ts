import type { Severity } from "../observations.ts";

/** What every event about an entity says. */
export interface EntityData {
  id: number;
  /** null is the local host. */
  agent_id: string | null;
  name: string;
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string;
}

/** What events about a container say that may become alerts. */
export interface ContainerEntityData extends EntityData {
  image: string;
  group: string;
  /** Labels as shown: values that look secret are masked. */
  labels: Record<string, string>;
  alert_channels: string[];
  alert_tags: string[];
}

/** Level-triggered: `active` false says that it is over, as was observed, or that what it was about was removed. */
export interface ClusterAlertData {
  active: boolean;
  /** Why it is over; null while it is active. */
  ended_by: "observation" | "removal" | null;
  severity: Severity;
  message: string;
  cause: string | null;
  /** Nodes that it depends on. */
  node_ids: string[];
  labels: Record<string, string>;
  alert_channels: string[];
  alert_tags: string[];
  since: string;
}
