/** What changed of what is watched; see ../events.ts. */
import type { CERTIFICATE_STATUSES, CertificateSource } from "../contract/certificate.ts";
import type { EndpointSource, EndpointStatus, EndpointType } from "../contract/endpoint.ts";
import type { HEARTBEAT_STATUSES } from "../contract/heartbeat.ts";
import type { ResourceMetric } from "../contract/thresholds.ts";
import type { FailureClass, Health, LabelError, RuntimeKind, Severity } from "../observations.ts";

export const CONTAINER_STATES = ["created", "running", "paused", "restarting", "exited", "completed", "dead"] as const;
export type ContainerState = (typeof CONTAINER_STATES)[number];

/** Source: contract, section 4. */
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** What can be wrong with a certificate so that somebody must hear of it. */
export type CertificateAlert = "expiring" | "expired" | "chain_invalid" | "unreachable";

/** Source: contract, section 3. */
export type HeartbeatStatus = (typeof HEARTBEAT_STATUSES)[number];

export const PING_KINDS = ["success", "start", "exit_code", "fail", "log"] as const;
export type PingKind = (typeof PING_KINDS)[number];

/** What went wrong with a job: it did not report in time, ended with another code than 0, said so, or ran too long. */
export const HEARTBEAT_REASONS = ["deadline", "exit_code", "fail", "timeout"] as const;
export type HeartbeatReason = (typeof HEARTBEAT_REASONS)[number];

/** What every event about an entity says. */
export interface EntityData {
  id: number;
  /** null is the local host. */
  agent_id: string | null;
  name: string;
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string;
}

interface ContainerData extends EntityData {
  /** Of `kubernetes` it is a workload, whose problems are those of `kubernetes.alert`. */
  runtime: RuntimeKind;
  image: string;
  group: string;
  /** Labels as shown: values that look secret are masked. */
  labels: Record<string, string>;
  alert_severity: Severity;
  alert_channels: string[];
  alert_tags: string[];
}

/** What one container uses at one tick. Not available is null, never 0. Source: contract, section 5. */
export interface SnapshotData {
  container_id: number;
  /** Of the allocated CPUs: quota, else cpuset, else all of the host; 0..100. */
  cpu_percent: number | null;
  cpu_cores_used: number | null;
  /** Working set: without page cache. */
  memory_bytes: number | null;
  memory_limit_bytes: number | null;
  memory_percent: number | null;
  /** Counters since the container's start. */
  network_rx_bytes: number | null;
  network_tx_bytes: number | null;
  disk_read_bytes: number | null;
  disk_write_bytes: number | null;
  network_rx_bytes_per_second: number | null;
  network_tx_bytes_per_second: number | null;
  disk_read_bytes_per_second: number | null;
  disk_write_bytes_per_second: number | null;
  timestamp: string;
}

/** What a host uses, by its latest sample. Source: contract, section 5. */
export interface HostData {
  /** null is the local host. */
  agent_id: string | null;
  label: string;
  hostname: string | null;
  os: string | null;
  runtime: string | null;
  cpu_percent: number | null;
  cpu_count: number | null;
  memory_bytes: number | null;
  memory_total_bytes: number | null;
  disk_bytes: number | null;
  disk_total_bytes: number | null;
  /** Over 1, 5 and 15 minutes. */
  load: number[] | null;
  uptime_seconds: number | null;
  running_containers: number;
  /** Sampled within the last 35 seconds. */
  available: boolean;
  timestamp: string | null;
}

interface ThresholdData extends ContainerData {
  metric: ResourceMetric;
  /** Percent. */
  value: number | null;
  threshold: number;
  debounce_seconds: number;
}

interface EndpointData extends EntityData {
  /** null for one that was made by hand. */
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

/* Alerts. Source: contract, section 6. */

export interface MonitoringEvents {
  /** A container appeared, or came back after it was gone. */
  "container.discovered": ContainerData & { state: ContainerState; health: Health | null };
  "container.state_changed": ContainerData & {
    state: ContainerState;
    previous_state: ContainerState;
    health: Health | null;
    exit_code: number | null;
    oom_killed: boolean;
    /** It ended, and somebody had asked for it. */
    stop_requested: boolean;
    error_detail: string | null;
  };
  "container.health_changed": ContainerData & { state: ContainerState; health: Health | null; previous_health: Health | null };
  /** Level-triggered: `severity` null says that the loop is over. */
  "container.restart_alert": ContainerData & {
    severity: Severity | null;
    previous_severity: Severity | null;
    restarts: number;
    threshold: number;
    window_seconds: number;
  };
  /** Level-triggered: it ended without being asked to, and has been down for as long as SERVICE_CONTAINER_DOWN_AFTER says; `down` false: it runs again, or need not. */
  "container.down": ContainerData & {
    down: boolean;
    state: ContainerState;
    exit_code: number | null;
    oom_killed: boolean;
    /** Its end was asked for, as became known later. */
    stop_requested: boolean;
    error_detail: string | null;
    since: string;
  };
  /** Name, image, labels, ports or settings changed, but not the state. */
  "container.updated": ContainerData;
  /** It was removed from its host; its history is kept for 30 days. */
  "container.archived": ContainerData;
  "container.removed": ContainerData;
  /** Labels that were not understood; empty when they have been put right. */
  "container.label_errors": ContainerData & { label_errors: LabelError[] };
  /** One for each host and tick, and one when a host falls silent: who is not in it is not known to use anything. `host` is its latest sample. */
  "resource.snapshot": { agent_id: string | null; host: HostData | null; snapshots: readonly SnapshotData[]; timestamp: string };
  /** Above the threshold for the whole debounce. */
  "resource.alert": ThresholdData;
  /** At or below the threshold for as long, or nothing is left to watch: `reason` says which. */
  "resource.recovery": ThresholdData & { reason: "below_threshold" | "threshold_changed" | "not_watched" };
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
  /** One for each ping. `exit_code` is what it told. */
  "heartbeat.pinged": HeartbeatData & { heartbeat_id: number; kind: PingKind; exit_code: number | null };
  /** It should have reported by `deadline_at`. */
  "heartbeat.deadline_missed": HeartbeatData & { deadline_at: string };
  /** A success after something was wrong. */
  "heartbeat.recovered": HeartbeatData & { failed_since: string };
  /** Changed otherwise than by a ping or a missed deadline; `timed_out`: a run did not end in its time. */
  "heartbeat.updated": HeartbeatData & { change: "edited" | "paused" | "resumed" | "timed_out" };
  "heartbeat.deleted": HeartbeatData;
  /** Level-triggered: the container runtime was reached once, and has been lost for half a minute; `lost` false: it is back. */
  "runtime.lost": {
    agent_id: string | null;
    runtime: string;
    lost: boolean;
    error: string | null;
    /** It is back, and these containers, which ended with it, do not run: the first hundred by name. */
    stopped: string[];
    stopped_count: number;
    since: string;
    /** null while it is away. */
    back_at: string | null;
    timestamp: string;
  };
  "runtime.status_changed": { agent_id: string | null; runtime: string; connected: boolean; error: string | null; timestamp: string };
}

export const MONITORING_EVENTS: Record<keyof MonitoringEvents, string> = {
  "container.discovered": "a container appeared",
  "container.state_changed": "state transition",
  "container.health_changed": "health status change",
  "container.restart_alert": "restart loop detected, made worse, or over",
  "container.down": "a container has been down for a while, or is no longer",
  "container.updated": "name, image, labels, ports or settings changed",
  "container.archived": "a container was removed from its host",
  "container.removed": "a container was not re-created within ten minutes of its removal",
  "container.label_errors": "labels that were not understood",
  "resource.snapshot": "what a host and its containers use, every 10 seconds",
  "resource.alert": "a container exceeds a threshold",
  "resource.recovery": "a container's usage is back to normal",
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
  "runtime.lost": "the container runtime has been lost for half a minute, or is back without containers that stopped with it, or with all",
  "runtime.status_changed": "the container runtime was reached or lost",
};
