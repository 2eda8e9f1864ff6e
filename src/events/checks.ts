/** What changed of endpoints, certificates and heartbeats; see ../events.ts. */
import type { CERTIFICATE_STATUSES, CertificateSource } from "../contract/certificate.ts";
import type { EndpointSource, EndpointStatus, EndpointType } from "../contract/endpoint.ts";
import type { HEARTBEAT_STATUSES } from "../contract/heartbeat.ts";
import type { FailureClass, Severity } from "../observations.ts";
import type { EntityData } from "./entity.ts";

/** Source: contract, section 4. */
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** What can be wrong with a certificate so that it raises an alert. */
export type CertificateAlert = "expiring" | "expired" | "chain_invalid" | "unreachable";

/** Source: contract, section 3. */
export type HeartbeatStatus = (typeof HEARTBEAT_STATUSES)[number];

export const PING_KINDS = ["success", "start", "exit_code", "fail", "log"] as const;
export type PingKind = (typeof PING_KINDS)[number];

/** What went wrong with a job: it did not report in time, ended with another code than 0, reported a failure, or ran too long. */
export const HEARTBEAT_REASONS = ["deadline", "exit_code", "fail", "timeout"] as const;
export type HeartbeatReason = (typeof HEARTBEAT_REASONS)[number];

interface EndpointData extends EntityData {
  /** null for one that a user made. */
  container_id: number | null;
  container_name: string | null;
  source: EndpointSource;
  type: EndpointType;
  /** Credentials in it are masked. */
  target: string;
  status: EndpointStatus;
  alerting: boolean;
  /** Of its container, as shown. */
  labels: Record<string, string>;
  alert_severity: Severity;
  alert_channels: string[];
  alert_tags: string[];
}

interface CertificateData extends EntityData {
  domain: string;
  port: number;
  server_name: string;
  source: CertificateSource;
  endpoint_id: number | null;
  container_id: number | null;
  status: CertificateStatus;
  previous_status: CertificateStatus;
  /** What is wrong, in sentences; null when nothing is. */
  message: string | null;
  expires_at: string | null;
  days_until_expiry: number | null;
  /** Of its container, as shown. */
  labels: Record<string, string>;
  alert_severity: Severity;
  alert_channels: string[];
  alert_tags: string[];
}

/** Never its uuid: whoever has that can ping. */
interface HeartbeatData extends EntityData {
  alert_tags: string[];
  status: HeartbeatStatus;
  previous_status: HeartbeatStatus;
  /** Level-triggered: what is wrong from now on, until a success or a pause; null says that nothing is. */
  reason: HeartbeatReason | null;
  previous_reason: HeartbeatReason | null;
  failing_since: string | null;
  last_ping_at: string | null;
  next_deadline_at: string | null;
  current_run_started_at: string | null;
  last_exit_code: number | null;
  last_duration_ms: number | null;
}

export interface CheckEvents {
  /** One for each check. */
  "endpoint.check_result": {
    endpoint_id: number;
    agent_id: string | null;
    name: string;
    success: boolean;
    /** False: this host had no network or no resolver, which says nothing of the endpoint. */
    observed: boolean;
    response_time_ms: number | null;
    http_status: number | null;
    failure_class: FailureClass | null;
    error: string | null;
    /** After this check. */
    status: EndpointStatus;
    alerting: boolean;
    consecutive_failures: number;
    consecutive_successes: number;
    timestamp: string;
  };
  /** As many failures in a row as the threshold: it is down. */
  "endpoint.alert": EndpointData & {
    previous_status: EndpointStatus;
    consecutive_failures: number;
    failure_threshold: number;
    error: string | null;
    failure_class: FailureClass | null;
    http_status: number | null;
    /** When the first of these failures was seen. */
    failing_since: string;
  };
  /** It answers again, or nobody wants to know any more: `reason` says which. */
  "endpoint.recovery": EndpointData & {
    previous_status: EndpointStatus;
    reason: "recovered" | "paused" | "changed" | "removed";
  };
  "endpoint.created": EndpointData;
  /** Its definition changed, or its status. */
  "endpoint.updated": EndpointData & { previous_status: EndpointStatus };
  /** It was deleted, or its label is gone. */
  "endpoint.removed": EndpointData;
  /** Fires once for each threshold of a certificate, and once when it is expired or its chain is not valid. */
  "certificate.alert": CertificateData & {
    alert: CertificateAlert;
    /** The most urgent one that was crossed; null but for `expiring`. */
    threshold_days: number | null;
  };
  /** Renewed, put right, or not watched any more: `reason` says which. */
  "certificate.recovery": CertificateData & { alert: CertificateAlert; reason: "renewed" | "changed" | "reached" | "removed" };
  "certificate.created": CertificateData;
  /** It was checked, or its settings changed. */
  "certificate.updated": CertificateData;
  "certificate.deleted": CertificateData;
  "heartbeat.created": HeartbeatData;
  /** One for each ping. `exit_code` is what it reported. */
  "heartbeat.pinged": HeartbeatData & { heartbeat_id: number; kind: PingKind; exit_code: number | null };
  /** It should have reported by `deadline_at`. */
  "heartbeat.deadline_missed": HeartbeatData & { deadline_at: string };
  /** A success after something was wrong. */
  "heartbeat.recovered": HeartbeatData & { failed_since: string };
  /** Changed otherwise than by a ping or a missed deadline; `timed_out`: a run did not end in its time. */
  "heartbeat.updated": HeartbeatData & { change: "edited" | "paused" | "resumed" | "timed_out" };
  "heartbeat.deleted": HeartbeatData;
}

export const CHECK_EVENTS: Record<keyof CheckEvents, string> = {
  "endpoint.check_result": "a check of an endpoint was completed",
  "endpoint.alert": "an endpoint failed as often in a row as its threshold",
  "endpoint.recovery": "an endpoint recovered, or is not checked any more",
  "endpoint.created": "an endpoint is checked from now on",
  "endpoint.updated": "the definition or the status of an endpoint changed",
  "endpoint.removed": "an endpoint was deleted, or its label is gone",
  "certificate.alert": "a certificate crossed a threshold before its expiry, is expired, or its chain is not valid",
  "certificate.recovery": "a certificate was renewed or put right",
  "certificate.created": "a certificate is watched from now on",
  "certificate.updated": "a certificate was checked, or its settings changed",
  "certificate.deleted": "a certificate is not watched any more",
  "heartbeat.created": "a heartbeat was made",
  "heartbeat.pinged": "ping received",
  "heartbeat.deadline_missed": "deadline missed",
  "heartbeat.recovered": "a job succeeded after something was wrong",
  "heartbeat.updated": "a heartbeat was edited, paused or resumed, or a run of its job did not end in time",
  "heartbeat.deleted": "a heartbeat was deleted",
};
