import { compareNames } from "../../contract/words.ts";
import type { Containers, SavedContainer } from "../../monitoring/containers/index.ts";
import type { Endpoints, SavedEndpoint } from "../../monitoring/endpoints/index.ts";
import type { ServiceOfWorkload } from "../../monitoring/kubernetes/index.ts";
import { publishedPorts, type Reach, reachOf } from "../../monitoring/security/index.ts";
import type { TopologyQuery } from "./api.ts";
import type { Topology, REACHES } from "./answers.ts";

/** The services of a cluster that select pods of a container row's workload; none where it is no workload. */
type ServicesOfWorkload = (container: { agentId: string | null; externalId: string }) => readonly ServiceOfWorkload[];

export interface TopologyDependencies {
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "present">;
  servicesOf: ServicesOfWorkload;
}

interface Limits {
  containers: number;
  endpoints: number;
  /** Of dependencies, of ports, and of containers in networks. */
  connections: number;
  networks: number;
}

/** Source: the descriptions in api.ts. */
const LIMITS: Limits = { containers: 2_000, endpoints: 2_000, connections: 5_000, networks: 2_000 };
/** Shorter, for a model. */
export const TOOL_LIMITS: Limits = { containers: 200, endpoints: 200, connections: 400, networks: 100 };

/** What is known of how containers hang together, of all hosts or of one, of all groups or of one. */
export function createTopologyReader({ containers: { present }, endpoints, servicesOf }: TopologyDependencies) {
  function shown({ agent_id: agentId, group }: TopologyQuery): SavedContainer[] {
    const hosts = agentId === undefined ? [...present.hosts()] : [agentId === "local" ? null : agentId];
    return hosts
      .flatMap((host) => present.ofHost(host))
      .filter(({ settings, group: own }) => !settings.ignored && (group === undefined || own === group))
      .toSorted(byPlace);
  }

  return (query: TopologyQuery, limits = LIMITS): Topology => {
    const all = shown(query);
    const containers = all.slice(0, limits.containers);
    const dependencies = firstOf(dependenciesOf(containers), limits.connections);
    const ports = firstOf(portsOf(containers), limits.connections);
    const leading = firstOf(leadsOf(endpoints.present(), containers), limits.endpoints);
    const networks = networksOf(containers, servicesOf, { networks: limits.networks, members: limits.connections });
    return {
      containers: containers.map(({ id, agentId: agent_id, name, group, image, state, health, networkMode }) => ({
        ...{ id, agent_id, name, group, image, state, health, host_network: networkMode === "host" },
      })),
      dependencies: dependencies.items,
      endpoints: leading.items,
      ports: ports.items,
      networks: networks.items,
      truncated: all.length > containers.length || [dependencies, ports, leading, networks].some(({ more }) => more),
    };
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

type Dependency = Topology["dependencies"][number];
type Endpoint = Topology["endpoints"][number];
type Port = Topology["ports"][number];
type Network = Topology["networks"][number];

/** Compose writes them to every container. `depends_on` is `service:condition:restart`, joined by commas. */
const COMPOSE = {
  project: "com.docker.compose.project",
  service: "com.docker.compose.service",
  dependsOn: "com.docker.compose.depends_on",
} as const;
const SHARED_NETWORK = "container:";
const NAMES_OF_THE_HOST = ["localhost", "127.0.0.1", "[::1]", "::1"];

const REACH: Readonly<Record<Reach, (typeof REACHES)[number]>> = {
  "every network": "every_network",
  "one network": "one_network",
  host: "host",
};

/** What containers of the same hosts need of each other: each pair once. */
function* dependenciesOf(containers: readonly SavedContainer[]): Generator<Dependency> {
  const byService = Map.groupBy(containers, (container) => serviceKey(container, container.labels[COMPOSE.service]));
  const byExternalId = new Map(containers.map((container) => [placeKey(container.agentId, container.externalId), container]));
  for (const container of containers) {
    for (const service of composeServices(container.labels[COMPOSE.dependsOn])) {
      const key = serviceKey(container, service);
      for (const needed of (key !== undefined && byService.get(key)) || []) {
        if (needed.id !== container.id) yield { container_id: container.id, depends_on_id: needed.id, source: "compose" };
      }
    }
    if (container.networkMode?.startsWith(SHARED_NETWORK) !== true) continue;
    const owner = byExternalId.get(placeKey(container.agentId, container.networkMode.slice(SHARED_NETWORK.length)));
    if (owner !== undefined) yield { container_id: container.id, depends_on_id: owner.id, source: "network_mode" };
  }
}

/** Where the containers can be reached from outside their networks. */
function* portsOf(containers: readonly SavedContainer[]): Generator<Port> {
  for (const container of containers) {
    for (const { port, protocol, bindings } of publishedPorts(container)) {
      for (const { hostIp, hostPort } of bindings) {
        const place = { host_ip: hostIp, host_port: hostPort, reach: REACH[reachOf(hostIp)] };
        yield { container_id: container.id, container_port: port, protocol, ...place };
      }
    }
  }
}

/** Active endpoints that lead to one of the containers. */
function* leadsOf(endpoints: readonly SavedEndpoint[], containers: readonly SavedContainer[]): Generator<Endpoint> {
  const shown = new Map(containers.map((container) => [container.id, container]));
  const published = new Map<string, number>();
  for (const { container_id: id, host_ip: ip, host_port: port, protocol, reach } of portsOf(containers)) {
    if (protocol !== "tcp") continue;
    const agentId = shown.get(id)?.agentId ?? null;
    const hosts = reach === "one_network" ? [ip.includes(":") ? `[${ip}]` : ip] : NAMES_OF_THE_HOST;
    for (const host of hosts) published.set(placeKey(agentId, `${host}:${port}`), id);
  }
  for (const { id, name, agentId, container, check, state, inactiveSince } of endpoints) {
    if (inactiveSince !== null) continue;
    const known = { id, name, status: state.status };
    const owner = container?.id ?? null;
    if (owner !== null) {
      if (shown.has(owner)) yield { ...known, container_id: owner, lead: "label" };
      continue;
    }
    const address = addressOf(check);
    const behind = address === undefined ? undefined : published.get(placeKey(agentId, address));
    if (behind !== undefined) yield { ...known, container_id: behind, lead: "published_port" };
  }
}

function composeServices(dependsOn: string | undefined): string[] {
  if (dependsOn === undefined) return [];
  return [...new Set(dependsOn.split(",").flatMap((entry) => entry.trim().split(":", 1)))].filter((service) => service !== "");
}

/** Undefined for what is no service of a Compose project. */
function serviceKey({ agentId, labels }: SavedContainer, service: string | undefined): string | undefined {
  const project = labels[COMPOSE.project];
  return project === undefined || service === undefined ? undefined : placeKey(agentId, JSON.stringify([project, service]));
}

function placeKey(agentId: string | null, what: string): string {
  return `${agentId ?? ""} ${what}`;
}

/** `host:port` of what an endpoint checks; undefined where that cannot be read. */
function addressOf({ type, target }: SavedEndpoint["check"]): string | undefined {
  if (type === "tcp") return target.toLowerCase();
  if (!URL.canParse(target)) return undefined;
  const { hostname, port, protocol } = new URL(target);
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
}

/** The engine's own, which every container may be in, and those of other containers. */
const NOT_NAMED = /^(bridge|host|none|nat|default|ingress|container:.*)$/;

/** What joins the containers: networks of engines and services of clusters, within limits. */
function networksOf(
  containers: readonly SavedContainer[],
  servicesOf: ServicesOfWorkload,
  most: { networks: number; members: number },
): { items: Network[]; more: boolean } {
  const found = [...dockerNetworks(containers), ...kubernetesServices(containers, servicesOf)].toSorted(
    (a, b) => compareNames(a.agent_id ?? "", b.agent_id ?? "") || compareNames(a.name, b.name),
  );
  const items: Network[] = [];
  let members = 0;
  for (const network of found) {
    members += network.container_ids.length;
    if (items.length === most.networks || members > most.members) return { items, more: true };
    items.push(network);
  }
  return { items, more: false };
}

function dockerNetworks(containers: readonly SavedContainer[]): Network[] {
  const named = containers.filter(
    ({ runtime, networkMode }) => runtime !== "kubernetes" && networkMode !== null && !NOT_NAMED.test(networkMode),
  );
  return [...Map.groupBy(named, ({ agentId, networkMode }) => JSON.stringify([agentId, networkMode])).values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const network = { kind: "docker_network", agent_id: first.agentId, name: first.networkMode ?? "" } as const;
    return [{ ...network, container_ids: members.map(({ id }) => id), service_type: null, ports: [] }];
  });
}

function kubernetesServices(containers: readonly SavedContainer[], servicesOf: ServicesOfWorkload): Network[] {
  const byService = new Map<string, Network>();
  for (const container of containers) {
    if (container.runtime !== "kubernetes") continue;
    for (const { name, namespace, type, ports } of servicesOf(container)) {
      const key = JSON.stringify([container.agentId, namespace, name]);
      const known = byService.get(key);
      if (known !== undefined) known.container_ids.push(container.id);
      else
        byService.set(key, {
          ...{ kind: "kubernetes_service", agent_id: container.agentId, name: `${namespace}/${name}` },
          ...{ container_ids: [container.id], service_type: type, ports: ports.map(portText) },
        });
    }
  }
  return [...byService.values()];
}

function portText({ port, nodePort, protocol }: ServiceOfWorkload["ports"][number]): string {
  return `${port}${nodePort === null ? "" : `:${nodePort}`}${protocol === "tcp" ? "" : `/${protocol}`}`;
}
