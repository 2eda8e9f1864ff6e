import { compareNames } from "../../../contract/names.ts";
import type { Containers, SavedContainer } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { TopologyQuery } from "./api.ts";
import type { Topology } from "./answers.ts";
import { dependenciesOf, leadsOf, portsOf } from "./connections.ts";

export interface TopologyDependencies {
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "present">;
}

interface Limits {
  containers: number;
  endpoints: number;
  /** Of dependencies, and of ports. */
  connections: number;
}

/** Source: the descriptions in api.ts. */
const LIMITS: Limits = { containers: 2_000, endpoints: 2_000, connections: 5_000 };
/** For somebody who pays by the word. */
export const TOOL_LIMITS: Limits = { containers: 200, endpoints: 200, connections: 400 };

export interface TopologyService {
  /** What is known of how containers hang together, of all hosts or of one, of all groups or of one. */
  topology(query: TopologyQuery, limits?: Limits): Topology;
}

export function createTopologyService({ containers: { present }, endpoints }: TopologyDependencies): TopologyService {
  function shown({ agent_id: agentId, group }: TopologyQuery): SavedContainer[] {
    const hosts = agentId === undefined ? [...present.hosts()] : [agentId === "local" ? null : agentId];
    return hosts
      .flatMap((host) => present.ofHost(host))
      .filter(({ settings, group: own }) => !settings.ignored && (group === undefined || own === group))
      .toSorted(byPlace);
  }

  return {
    topology(query, limits = LIMITS) {
      const all = shown(query);
      const containers = all.slice(0, limits.containers);
      const dependencies = firstOf(dependenciesOf(containers), limits.connections);
      const ports = firstOf(portsOf(containers), limits.connections);
      const leading = firstOf(leadsOf(endpoints.present(), containers), limits.endpoints);
      return {
        containers: containers.map(({ id, agentId: agent_id, name, group, image, state, health, networkMode }) => ({
          ...{ id, agent_id, name, group, image, state, health, host_network: networkMode === "host" },
        })),
        dependencies: dependencies.items,
        endpoints: leading.items,
        ports: ports.items,
        truncated: all.length > containers.length || dependencies.more || ports.more || leading.more,
      };
    },
  };
}

function byPlace(a: SavedContainer, b: SavedContainer): number {
  return compareNames(a.agentId ?? "", b.agentId ?? "") || compareNames(a.group, b.group) || compareNames(a.name, b.name) || a.id - b.id;
}

function firstOf<T>(items: Iterable<T>, most: number): { items: T[]; more: boolean } {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.length === most) return { items: taken, more: true };
    taken.push(item);
  }
  return { items: taken, more: false };
}
