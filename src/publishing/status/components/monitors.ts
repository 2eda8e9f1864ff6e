import type { Entity } from "../../../alerting/index.ts";
import { SCOPES } from "../../../contract/scope.ts";
import type { Event } from "../../../events.ts";
import { type Containers, runs } from "../../../monitoring/containers/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isScope, type Monitor, MONITOR_TYPES, type MonitorType, type Scope } from "../vocabulary.ts";
import type { Look } from "./component.ts";
import { createLastChecks } from "./last-checks.ts";
import { stateOfMembers, STATUS_BY_CERTIFICATE, statusOfContainer, STATUS_BY_ENDPOINT, STATUS_BY_HEARTBEAT } from "./derivation.ts";
import { agentOf, createMembers, type MemberFeatures } from "./members.ts";

/** What is watched, as components are concerned; all of it in memory. Events on the bus report changes, see {@link monitorOf}. */
export interface Monitors {
  /** Undefined when it is gone; a group is there whatever is in it. */
  look(monitor: Monitor): Look | undefined;
  /** The group and the host that it is in. */
  scopesOf(monitor: Monitor): readonly Scope[];
  /** Whether one that cannot be found may return by itself: a container, an endpoint by label. */
  mayReturn(monitor: Monitor): boolean;
  /** Finds what was re-created under the name of one that is gone: containers, and endpoints that a label defines. Names are as of now. */
  successors(): (gone: { type: MonitorType; name: string; agentId: string | null }) => number | undefined;
}

export interface MonitoringFeatures extends MemberFeatures {
  heartbeats: Pick<Heartbeats, "find">;
  hosts: ObservedHosts;
  /** How a host is called; undefined of one that is not known. */
  hostName: (agentId: string | null) => string | undefined;
}

/** When a host was last observed by this program; null is the local host, or never. */
export interface ObservedHosts {
  /** Its containers. */
  lastObservedAt(agentId: string | null): Date | null;
  /** Anything of it; of the local host, now. */
  lastReportedAt(agentId: string | null): Date | null;
}

export function monitorsOf(features: MonitoringFeatures, clock: Clock): Monitors {
  const { containers, endpoints, heartbeats, certificates, hosts, hostName } = features;
  const members = createMembers(features);
  const checks = createLastChecks(clock);
  /** A check is valid until the next one is due only while the host that makes it reports. */
  function whileReporting(checkedAt: Date | null, { agentId }: { agentId: string | null }): Date | null {
    const reportedAt = hosts.lastReportedAt(agentId);
    if (checkedAt === null || reportedAt === null) return null;
    return reportedAt < checkedAt ? reportedAt : checkedAt;
  }

  function look(
    type: MonitorType,
    { id, name, agentId }: { id: number; name: string; agentId: string | null },
    { status, lastObservedAt }: Pick<Look, "status" | "lastObservedAt">,
    parents: Partial<Record<MonitorType, number | null | undefined>> = {},
  ): Look {
    return {
      name,
      agentId,
      status,
      lastObservedAt,
      // Of all that is in a large group they are only asked for while there is maintenance.
      get entities() {
        const entities: Entity[] = [{ type, id: String(id) }];
        for (const [parent, parentId] of Object.entries(parents))
          if (parentId != null) entities.push({ type: parent, id: String(parentId) });
        entities.push({ type: "agent", id: agentId ?? "local" });
        return [...entities, ...groupsOf(entities, containers.present)];
      },
    };
  }

  const looks: Record<MonitorType, (id: number) => Look | undefined> = {
    container(id) {
      const container = containers.present.get(id);
      return (
        container &&
        look("container", container, { status: statusOfContainer(container), lastObservedAt: hosts.lastObservedAt(container.agentId) })
      );
    },
    endpoint(id) {
      const endpoint = endpoints.find(id);
      if (endpoint === undefined || endpoint.inactiveSince !== null) return undefined;
      const container = containers.present.get(endpoint.container?.id ?? 0);
      const { status, lastObservedAt: at } = endpoint.state;
      const parents = { container: endpoint.container?.id };
      if (container !== undefined && runs(container) === false) {
        // What cannot be checked since its container does not run is as that is, unless it was down before.
        const seen = status === "down" ? STATUS_BY_ENDPOINT[status] : statusOfContainer(container);
        return look("endpoint", endpoint, { status: seen, lastObservedAt: hosts.lastObservedAt(container.agentId) }, parents);
      }
      const seen = STATUS_BY_ENDPOINT[status];
      // What nobody checks any more was observed when it last was.
      const checkedAt = seen === null ? at : checks.lastObservedAt(`endpoint ${id}`, { at, everyMs: endpoint.check.intervalMs });
      return look("endpoint", endpoint, { status: seen, lastObservedAt: whileReporting(checkedAt, endpoint) }, parents);
    },
    heartbeat(id) {
      const heartbeat = heartbeats.find(id);
      return heartbeat && look("heartbeat", heartbeat, { status: STATUS_BY_HEARTBEAT[heartbeat.status], lastObservedAt: clock.now() });
    },
    certificate(id) {
      const certificate = certificates.find(id);
      if (certificate === undefined) return undefined;
      const { endpointId, container, state, checkIntervalMs } = certificate;
      const checkedAt = checks.lastObservedAt(`certificate ${id}`, { at: state.lastCheckAt, everyMs: checkIntervalMs });
      const seen = { status: STATUS_BY_CERTIFICATE[state.status], lastObservedAt: whileReporting(checkedAt, certificate) };
      return look("certificate", certificate, seen, { endpoint: endpointId, container: container?.id });
    },
  };

  function lookAt(monitor: Monitor): Look | undefined {
    return isScope(monitor) ? lookInto(monitor) : looks[monitor.type](monitor.id);
  }

  function lookInto(scope: Scope): Look | undefined {
    const agentId = scope.type === SCOPES.host ? agentOf(scope.id) : null;
    const name = scope.type === SCOPES.host ? hostName(agentId) : scope.id;
    if (name === undefined) return undefined;
    const found = members.of(scope).flatMap((member) => lookAt(member) ?? []);
    return { name, agentId, ...stateOfMembers(found), entities: [{ type: scope.type, id: scope.id }], members: found };
  }

  return {
    look: lookAt,
    scopesOf: members.scopesOf,
    mayReturn: ({ type, id }) => type === "container" || (type === "endpoint" && endpoints.find(id) !== undefined),
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

/** The monitor that an event is about. */
export function monitorOf({ type, data }: Event): Monitor | undefined {
  const kind = MONITOR_TYPES.find((each) => type.startsWith(each) && type[each.length] === ".");
  return kind === undefined || !("id" in data) || typeof data.id !== "number" ? undefined : { type: kind, id: data.id };
}

/** What maintenance of a group covers: its containers, with their endpoints and certificates. */
function groupsOf(entities: readonly Entity[], containers: Containers["present"]): Entity[] {
  return entities.flatMap(({ type, id }) => {
    const group = type === "container" ? containers.get(Number(id))?.group : undefined;
    return group === undefined ? [] : [{ type: SCOPES.group, id: group }];
  });
}

function key(type: MonitorType, { name, agentId }: { name: string; agentId: string | null }): string {
  return `${type} ${agentId ?? "local"} ${name}`;
}
