/** What changed of containers, of what they use and of the engines that run them; see ../events.ts. */
import type { ResourceMetric } from "../contract/thresholds.ts";
import type { Health, LabelError, RuntimeKind, Severity } from "../observations.ts";
import type { ContainerEntityData } from "./entity.ts";

export const CONTAINER_STATES = ["created", "running", "paused", "restarting", "exited", "completed", "dead"] as const;
export type ContainerState = (typeof CONTAINER_STATES)[number];

interface ContainerData extends ContainerEntityData {
  /** Of `kubernetes` it is a workload, whose problems are those of `kubernetes.alert`. */
  runtime: RuntimeKind;
  alert_severity: Severity;
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

export interface ContainerEvents {
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
}

export const CONTAINER_EVENTS: Record<keyof ContainerEvents, string> = {
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
};

export interface RuntimeEvents {
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

export const RUNTIME_EVENTS: Record<keyof RuntimeEvents, string> = {
  "runtime.lost": "the container runtime has been lost for half a minute, or is back without containers that stopped with it, or with all",
  "runtime.status_changed": "the container runtime was reached or lost",
};
