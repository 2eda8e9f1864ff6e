/** What changed of how exposed containers are; see ../events.ts. Source: specification, Security insight and acknowledgment. */
import type { InsightSeverity, InsightType } from "../contract/security.ts";
import type { ContainerEntityData } from "./entity.ts";

export { INSIGHT_SEVERITIES, INSIGHT_TYPES, type InsightSeverity, type InsightType } from "../contract/security.ts";

/** A finding in events. `key` is `<port>/<protocol>` of the container where a port is meant, else empty. */
export interface FindingData {
  type: InsightType;
  key: string;
  severity: InsightSeverity;
  acknowledged: boolean;
}

/** A container with all that is found of it now; `id`, `name` and `agent_id` are the container's. */
interface SecurityData extends ContainerEntityData {
  findings: FindingData[];
  /** Of the worst finding that nobody acknowledged; null when there is none. */
  severity: InsightSeverity | null;
  /** What is found and not acknowledged, as one sentence; null when nothing is. */
  message: string | null;
}

interface AcknowledgmentData extends SecurityData {
  acknowledgment_id: number;
  finding_type: InsightType;
  finding_key: string;
  acknowledged_by: string;
  reason: string;
}

/** How the posture of a host stands to what was asked for; `name` is the host's. */
interface PostureThresholdData {
  agent_id: string | null;
  name: string;
  /** null when nothing runs there any more. */
  score: number | null;
  /** The last score on the other side of the threshold; null when none is known. */
  previous_score: number | null;
  threshold: number;
  below: boolean;
  /** The containers that pull it down most, the worst first, at most 3. */
  worst: string[];
  alert_tags: string[];
  timestamp: string;
}

export interface SecurityEvents {
  /** Something was found of a container that was not there before, or is not there any more. */
  "security.insights_changed": SecurityData & {
    added: { type: InsightType; key: string }[];
    removed: { type: InsightType; key: string }[];
    /** Its alert was acknowledged before the new finding: a new alert takes its place. */
    renewed: boolean;
    /** Nothing is found any more, and not just since it stopped a moment ago: its alert is over. */
    over: boolean;
  };
  "security.acknowledged": AcknowledgmentData;
  /** The finding counts again. */
  "security.revoked": AcknowledgmentData;
  "security.posture_threshold": PostureThresholdData;
}

export const SECURITY_EVENTS: Record<keyof SecurityEvents, string> = {
  "security.insights_changed": "what is found of a container's exposure changed",
  "security.acknowledged": "somebody acknowledged a finding",
  "security.revoked": "the acknowledgment of a finding was revoked",
  "security.posture_threshold": "the posture of a host stayed below what was asked for, or is back",
};
