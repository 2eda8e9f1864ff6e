import type { Event } from "../../events.ts";
import type { Entity } from "../vocabulary.ts";

const MAX_KEPT = 50_000;

/** Why an endpoint counts as down for what hangs on it: one whose certificate is refused is up. */
const UNREACHABLE: ReadonlySet<string | null> = new Set(["dns", "connect", "timeout"]);

/** Something that is down, in words. */
export interface Outage {
  name: string;
  /** `is exited`. */
  why: string;
  since: Date;
}

/** Which things are down that others depend on, as far as events told. */
export interface Outages {
  /** Answers whether something came back. */
  note(event: Event): boolean;
  /** The nearest of these that is down. */
  among(entities: readonly Entity[]): Outage | undefined;
}

/** What everything on a host depends on: the local host, or an agent. */
export function hostOf(agentId: string | null): Entity {
  return agentId === null ? { type: "host", id: "local" } : { type: "agent", id: agentId };
}

export function createOutages(): Outages {
  const down = new Map<string, Outage>();

  function fall(entity: Entity, outage: Omit<Outage, "since">, at: string): boolean {
    const since = down.get(entityText(entity))?.since ?? new Date(at);
    down.set(entityText(entity), { ...outage, since });
    if (down.size > MAX_KEPT) {
      const [oldest] = down.keys();
      if (oldest !== undefined) down.delete(oldest);
    }
    return false;
  }

  const rise = (entity: Entity): boolean => down.delete(entityText(entity));

  return {
    note({ type, data }) {
      switch (type) {
        case "container.discovered":
        case "container.state_changed": {
          const entity = containerEntity(data.id);
          if (data.state === "running") return rise(entity);
          return fall(entity, { name: `container "${data.name}"`, why: `is ${data.state}` }, data.timestamp);
        }
        case "container.archived":
          return rise(containerEntity(data.id));
        case "endpoint.alert":
          if (!UNREACHABLE.has(data.failure_class)) return rise(endpointEntity(data.id));
          return fall(endpointEntity(data.id), { name: `endpoint "${data.name}"`, why: "cannot be reached" }, data.timestamp);
        case "endpoint.recovery":
        case "endpoint.removed":
          return rise(endpointEntity(data.id));
        case "runtime.status_changed":
          if (data.connected) return rise(hostOf(data.agent_id));
          return fall(
            hostOf(data.agent_id),
            { name: "its host", why: `shows no containers (${data.runtime} does not answer)` },
            data.timestamp,
          );
        default:
          return false;
      }
    },
    among(entities) {
      for (const entity of entities) {
        const outage = down.get(entityText(entity));
        if (outage !== undefined) return outage;
      }
      return undefined;
    },
  };
}

export function containerEntity(id: number): Entity {
  return { type: "container", id: String(id) };
}

export function endpointEntity(id: number): Entity {
  return { type: "endpoint", id: String(id) };
}

function entityText({ type, id }: Entity): string {
  return `${type}:${id}`;
}
