/**
 * What changed: the vocabulary of the bus, of the event stream and of webhooks. `data` is the JSON that goes over the wire,
 * hence its spelling. Published only after what it tells was saved. Source: specification, Events; contract, section 16.
 */
import type { Health, LabelError, Severity } from "./observations.ts";

export const CONTAINER_STATES = ["created", "running", "paused", "restarting", "exited", "completed", "dead"] as const;
export type ContainerState = (typeof CONTAINER_STATES)[number];

/** What every event about an entity says. */
interface EntityData {
  id: number;
  /** null is the local host. */
  agent_id: string | null;
  name: string;
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string;
}

interface ContainerData extends EntityData {
  image: string;
  group: string;
  /** Labels as shown: values that look secret are masked. */
  labels: Record<string, string>;
  alert_severity: Severity;
  alert_channels: string[];
  alert_tags: string[];
}

/** Which figure of a container exceeds its threshold. */
export type ResourceMetric = "cpu" | "memory";

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

export interface EventData {
  /** A container appeared, or came back after it was gone. */
  "container.discovered": ContainerData & { state: ContainerState; health: Health | null };
  "container.state_changed": ContainerData & {
    state: ContainerState;
    previous_state: ContainerState;
    health: Health | null;
    exit_code: number | null;
    oom_killed: boolean;
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
  /** Name, image, labels, ports or settings changed, but not the state. */
  "container.updated": ContainerData;
  /** It was removed from its host; its history is kept for 30 days. */
  "container.archived": ContainerData;
  /** Labels that were not understood; empty when they have been put right. */
  "container.label_errors": ContainerData & { label_errors: LabelError[] };
  /** One for each host and tick, and one when a host falls silent: who is not in it is not known to use anything. `host` is its latest sample. */
  "resource.snapshot": { agent_id: string | null; host: HostData | null; snapshots: readonly SnapshotData[]; timestamp: string };
  /** Above the threshold for the whole debounce. */
  "resource.alert": ThresholdData;
  /** At or below the threshold for as long, or nothing is left to watch: `reason` says which. */
  "resource.recovery": ThresholdData & { reason: "below_threshold" | "threshold_changed" | "not_running" };
  "runtime.status_changed": { agent_id: string | null; runtime: string; connected: boolean; error: string | null; timestamp: string };
}

export type EventName = keyof EventData;
export type Event<Name extends EventName = EventName> = { [N in Name]: { type: N; data: EventData[N] } }[Name];

/** Every event the program publishes, and what it means; the documentation and the surface test read it. */
export const EVENTS: Record<EventName, string> = {
  "container.discovered": "a container appeared",
  "container.state_changed": "state transition",
  "container.health_changed": "health status change",
  "container.restart_alert": "restart loop detected, made worse, or over",
  "container.updated": "name, image, labels, ports or settings changed",
  "container.archived": "a container was removed from its host",
  "container.label_errors": "labels that were not understood",
  "resource.snapshot": "what a host and its containers use, every 10 seconds",
  "resource.alert": "a container exceeds a threshold",
  "resource.recovery": "a container's usage is back to normal",
  "runtime.status_changed": "the container runtime was reached or lost",
};

/** Events that the next one of their kind supersedes: not repeated to a client that was away. */
export const SUPERSEDED_EVENTS: ReadonlySet<EventName> = new Set(["resource.snapshot"]);
