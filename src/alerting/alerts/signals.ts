import type { Event } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import { type AlertKey, type AlertSource, type Entity, type Problem, type Resolution, SEVERITIES, type Severity } from "../vocabulary.ts";

/** What an event reports of a problem: it is there, or it is over. */
export type Signal = { kind: "raise"; problem: Problem } | { kind: "clear"; key: AlertKey; resolution: Resolution };

const SEVERITY_LABEL = "service.alert.severity";

/** The severity of the container's label, else the default. The severity in a container's settings is not used here. */
export function severityOf(labels: Readonly<Record<string, string>>, byDefault: Severity): Severity {
  const label = labels[SEVERITY_LABEL]?.trim().toLowerCase();
  return SEVERITIES.find((severity) => severity === label) ?? byDefault;
}

/** Raises a problem, with its text cleaned. */
export function raise(problem: Problem): Signal {
  return { kind: "raise", problem: { ...problem, message: cleanName(problem.message, 1000) } };
}

/** Ends a problem because health was observed. */
export function seenWell(source: AlertSource, event: string, entity: Entity, reason: string): Signal {
  return clear({ source, event, entity }, { by: "observation", reason });
}

export const NOT_ENABLED: Resolution = { by: "user", reason: "This alert is no longer enabled for the container." };

/** Ends a problem with the given resolution. */
export function clear(key: AlertKey, resolution: Resolution): Signal {
  return { kind: "clear", key, resolution };
}

interface About {
  agent_id: string | null;
  name: string;
  labels?: Record<string, string>;
  alert_channels?: string[];
  alert_tags: string[];
}

/** The fields that all sources set in the same way. */
export function about({
  agent_id,
  name,
  labels,
  alert_channels,
  alert_tags,
}: About): Pick<Problem, "agentId" | "entityName" | "labels" | "channels" | "tags"> {
  return { agentId: agent_id, entityName: name, labels: labels ?? {}, channels: alert_channels ?? [], tags: alert_tags };
}

/** Whether an event about a problem says that it was observed just now, and not only that it is still known. */
export function isObservation({ type, data }: Event): boolean {
  if (type === "heartbeat.pinged") return data.kind === "fail" || (data.kind === "exit_code" && data.exit_code !== 0);
  return type !== "heartbeat.updated" || data.change === "timed_out";
}

/**
 * Whether a repeated event of a source shows that the problem lasts. Things that are watched all the time are seen to last. A failed run is only seen
 * again with the next run, an update with the next scan, and a disabled subscription when it is disabled again.
 */
export function isLasting({ type }: Event): boolean {
  return !type.startsWith("update.") && !type.startsWith("webhook.") && type !== "heartbeat.updated";
}

const MAX_KEPT = 50_000;

/** The reasons for which an endpoint counts as down for its dependents. One whose certificate is refused is up. */
const UNREACHABLE: ReadonlySet<string | null> = new Set(["dns", "connect", "timeout"]);

/** Something that is down, in words. */
export interface Outage {
  name: string;
  /** `is exited`. */
  why: string;
  since: Date;
}

/** Tracks, from events, which things are down that others depend on. */
export interface Outages {
  /** Answers whether something came back. */
  note(event: Event): boolean;
  /** The nearest of these entities that is down. */
  among(entities: readonly Entity[]): Outage | undefined;
  /** Whether a host sends nothing, so that only its last state is known. */
  isSilent(agentId: string | null): boolean;
  /** Whether the runtime of a host shows what runs there. */
  isShown(agentId: string | null): boolean;
  /**
   * Whether a runtime may still be lost: one that was lost before this program started counts as lost until its status is reported, since an agent or
   * a local engine takes a while to come back.
   */
  mayBeLost(agentId: string | null): boolean;
}

/** What everything on a host depends on: the local host or an agent. */
export function hostOf(agentId: string | null): Entity {
  return agentId === null ? { type: "host", id: "local" } : { type: "agent", id: agentId };
}

/** A host is down without contact to it or to its runtime. Each of the two may come back first. */
function runtimeOf(agentId: string | null): Entity {
  return { ...hostOf(agentId), type: "runtime" };
}

/** The name of a container that does not run, what it is instead and since when; undefined when it runs or does not exist. */
export type StoppedAs = (containerId: number) => { name: string; state: string; since: Date } | undefined;

interface OutagesParts {
  /** Without it nothing is expected of the local host. */
  watchesLocal?: boolean;
  /** No event reports a stopped container that has not changed since this program started. */
  stoppedAs?: StoppedAs | undefined;
}

export function createOutages({ watchesLocal = false, stoppedAs }: OutagesParts = {}): Outages {
  const down = new Map<string, Outage>();
  /** Hosts whose runtime answers, or of which nothing is expected. */
  const fine = new Set<string | null>(watchesLocal ? [] : [null]);
  /** Agents that are never let in again: nothing is expected of them, and nothing is seen. */
  const revoked = new Set<string | null>();

  function fall(entity: Entity, outage: Omit<Outage, "since">, at: string): boolean {
    const since = down.get(entityText(entity))?.since ?? new Date(at);
    down.set(entityText(entity), { ...outage, since });
    if (down.size > MAX_KEPT) {
      const [oldest] = down.keys();
      if (oldest !== undefined) down.delete(oldest);
    }
    return false;
  }

  function stopOf({ type, id }: Entity): Outage | undefined {
    const stopped = type === "container" ? stoppedAs?.(Number(id)) : undefined;
    return stopped && { name: `container "${stopped.name}"`, why: `is ${stopped.state}`, since: stopped.since };
  }

  const rise = (entity: Entity): boolean => down.delete(entityText(entity));

  function noteRuntime({ type, data }: Event): void {
    // When the host is back, its runtime is reported again, after a complete listing.
    if (type === "agent.deleted" || type === "agent.disconnected") fine.delete(data.id);
    if (type === "agent.revoked") revoked.add(data.id);
    if (type === "agent.deleted") revoked.delete(data.id);
    if (type !== "runtime.status_changed") return;
    if (data.connected) fine.add(data.agent_id);
    else fine.delete(data.agent_id);
  }

  return {
    note(event) {
      noteRuntime(event);
      const { type, data } = event;
      switch (type) {
        case "container.discovered":
        case "container.state_changed": {
          const entity = containerEntity(data.id);
          // It may have been down since before this program started.
          if (data.state === "running") return rise(entity) || type === "container.state_changed";
          return fall(entity, { name: `container "${data.name}"`, why: `is ${data.state}` }, data.timestamp);
        }
        case "container.removed":
          // Nothing came back: what depended on it ends as well, in a moment.
          rise(containerEntity(data.id));
          return false;
        case "endpoint.alert":
          if (!UNREACHABLE.has(data.failure_class)) return rise(endpointEntity(data.id));
          return fall(endpointEntity(data.id), { name: `endpoint "${data.name}"`, why: "cannot be reached" }, data.timestamp);
        case "endpoint.recovery":
        case "endpoint.removed":
          return rise(endpointEntity(data.id));
        case "runtime.status_changed":
          if (data.connected) return rise(runtimeOf(data.agent_id));
          return fall(
            runtimeOf(data.agent_id),
            { name: "its host", why: `shows no containers (its engine does not answer)` },
            data.timestamp,
          );
        case "agent.disconnected":
          if (!data.lost) return false;
          return fall(hostOf(data.agent_id), { name: `host "${data.name}"`, why: "is disconnected" }, data.since);
        case "swarm.alert":
          if (data.alert !== "node_down") return false;
          if (!data.active) return rise({ type: data.entity_type, id: data.id });
          return fall({ type: data.entity_type, id: data.id }, { name: `node "${data.name}"`, why: "is down" }, data.since);
        case "kubernetes.alert":
          if (data.alert !== "node_not_ready") return false;
          if (!data.active) return rise({ type: data.entity_type, id: data.id });
          return fall({ type: data.entity_type, id: data.id }, { name: `node "${data.name}"`, why: "is not ready" }, data.since);
        case "agent.connected":
          return rise(hostOf(data.agent_id));
        case "agent.revoked": {
          // It may have been out of sight before.
          const since = down.get(entityText(runtimeOf(data.id)))?.since.toISOString() ?? data.timestamp;
          return fall(hostOf(data.id), { name: `host "${data.name}"`, why: "is not monitored (its agent was revoked)" }, since);
        }
        case "agent.deleted":
          return [rise(hostOf(data.agent_id)), rise(runtimeOf(data.agent_id))].includes(true);
        default:
          return false;
      }
    },
    among(entities) {
      for (const entity of entities) {
        const outage =
          down.get(entityText(entity)) ?? (isHost(entity) ? down.get(entityText({ ...entity, type: "runtime" })) : stopOf(entity));
        if (outage !== undefined) return outage;
      }
      return undefined;
    },
    isSilent: (agentId) => agentId !== null && down.has(entityText(hostOf(agentId))),
    isShown: (agentId) => !down.has(entityText(runtimeOf(agentId))) && fine.has(agentId) && !revoked.has(agentId),
    mayBeLost: (agentId) => !fine.has(agentId) && !revoked.has(agentId),
  };
}

export function containerEntity(id: number): Entity {
  return { type: "container", id: String(id) };
}

export function endpointEntity(id: number): Entity {
  return { type: "endpoint", id: String(id) };
}

function isHost({ type }: Entity): boolean {
  return type === "host" || type === "agent";
}

function entityText({ type, id }: Entity): string {
  return `${type}:${id}`;
}
