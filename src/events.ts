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
  "runtime.status_changed": "the container runtime was reached or lost",
};
