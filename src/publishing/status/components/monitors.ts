import type { Entity } from "../../../alerting/index.ts";
import type { Event } from "../../../events.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import { type Monitor, MONITOR_TYPES, type MonitorType } from "../vocabulary.ts";
import type { Look } from "./component.ts";
import { statusOfCertificate, statusOfContainer, statusOfEndpoint, statusOfHeartbeat } from "./derivation.ts";

/** What is watched, as components are concerned; all of it in memory. That something changed is told by the bus, see {@link monitorOf}. */
export interface Monitors {
  /** Undefined when it is gone. */
  look(monitor: Monitor): Look | undefined;
  /** Finds what was made anew under the name of one that is gone: containers, and endpoints that a label defines. Names are as of now. */
  successors(): (gone: { type: MonitorType; name: string; agentId: string | null }) => number | undefined;
}

export interface MonitoringFeatures {
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "find" | "present">;
  heartbeats: Pick<Heartbeats, "find">;
  certificates: Pick<Certificates, "find">;
}

export function monitorsOf({ containers, endpoints, heartbeats, certificates }: MonitoringFeatures): Monitors {
  const looks: Record<MonitorType, (id: number) => Look | undefined> = {
    container(id) {
      const container = containers.present.get(id);
      return container && look("container", container, statusOfContainer(container));
    },
    endpoint(id) {
      const endpoint = endpoints.find(id);
      if (endpoint === undefined || endpoint.inactiveSince !== null) return undefined;
      return look("endpoint", endpoint, statusOfEndpoint(endpoint.state.status), { container: endpoint.container?.id });
    },
    heartbeat(id) {
      const heartbeat = heartbeats.find(id);
      return heartbeat && look("heartbeat", heartbeat, statusOfHeartbeat(heartbeat.status));
    },
    certificate(id) {
      const certificate = certificates.find(id);
      if (certificate === undefined) return undefined;
      const { endpointId, container, state } = certificate;
      return look("certificate", certificate, statusOfCertificate(state.status), { endpoint: endpointId, container: container?.id });
    },
  };

  return {
    look: ({ type, id }) => looks[type](id),
    successors() {
      const names = new Map<string, number>();
      for (const id of containers.present.ids()) {
        const container = containers.present.get(id);
        if (container !== undefined) names.set(key("container", container), id);
      }
      for (const endpoint of endpoints.present()) if (endpoint.container !== null) names.set(key("endpoint", endpoint), endpoint.id);
      return ({ type, ...named }) => names.get(key(type, named));
    },
  };
}

/** Of which monitor an event tells that something about it changed. */
export function monitorOf({ type, data }: Event): Monitor | undefined {
  const kind = MONITOR_TYPES.find((each) => type.startsWith(each) && type[each.length] === ".");
  return kind === undefined || !("id" in data) || typeof data.id !== "number" ? undefined : { type: kind, id: data.id };
}

function look(
  type: MonitorType,
  { id, name, agentId }: { id: number; name: string; agentId: string | null },
  status: Look["status"],
  parents: Partial<Record<MonitorType, number | null | undefined>> = {},
): Look {
  const entities: Entity[] = [{ type, id: String(id) }];
  for (const [parent, parentId] of Object.entries(parents)) if (parentId != null) entities.push({ type: parent, id: String(parentId) });
  entities.push({ type: "agent", id: agentId ?? "local" });
  return { name, agentId, status, entities };
}

function key(type: MonitorType, { name, agentId }: { name: string; agentId: string | null }): string {
  return `${type} ${agentId ?? "local"} ${name}`;
}
