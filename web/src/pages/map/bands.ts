import type { Topology } from "../../../../src/publishing/overview/answers.ts";

type Port = Topology["ports"][number];
type Lead = Topology["endpoints"][number];
export type Reach = Port["reach"];

/** A place where a container can be reached; the same port on several addresses is one. */
export interface Entrance {
  /** `:8080`, `127.0.0.1:5432`, `:53/udp`. */
  label: string;
  reach: Reach;
}

/** Of a container that publishes nothing, since all its ports are its host's. */
const HOST_NETWORK: Entrance = { label: "host network", reach: "every_network" };

/** A container with all that joins it to others. Ids are those of containers. */
export interface Member {
  id: number;
  name: string;
  agentId: string | null;
  group: string;
  needs: readonly number[];
  neededBy: readonly number[];
  entrances: readonly Entrance[];
  checks: readonly Lead[];
}

/** What joins containers without one needing the other: a network of the engine, or a service of a cluster. */
export interface Network {
  key: string;
  kind: Topology["networks"][number]["kind"];
  name: string;
  /** `NodePort`; null of a network. */
  serviceType: string | null;
  ports: readonly string[];
  /** Ids of containers of the band. */
  members: readonly number[];
}

/** The containers of one group on one host. */
export interface Band {
  key: string;
  name: string;
  agentId: string | null;
  members: readonly Member[];
  networks: readonly Network[];
}

/** The groups of each host with their containers, in the order of the server. */
export function bandsOf(topology: Topology): Band[] {
  const needs = Map.groupBy(topology.dependencies, ({ container_id: id }) => id);
  const neededBy = Map.groupBy(topology.dependencies, ({ depends_on_id: id }) => id);
  const ports = Map.groupBy(topology.ports, ({ container_id: id }) => id);
  const checks = Map.groupBy(topology.endpoints, ({ container_id: id }) => id);
  const members = topology.containers.map(({ id, name, agent_id: agentId, group, host_network: isOnHost }): Member => ({
    ...{ id, name, agentId, group },
    needs: [...new Set(needs.get(id)?.map((dependency) => dependency.depends_on_id))],
    neededBy: [...new Set(neededBy.get(id)?.map((dependency) => dependency.container_id))],
    entrances: isOnHost ? [HOST_NETWORK] : entrancesOf(ports.get(id) ?? []),
    checks: checks.get(id) ?? [],
  }));
  const joining = topology.networks.map((network) => ({ ...network, key: JSON.stringify([network.kind, network.agent_id, network.name]) }));
  return [...Map.groupBy(members, ({ agentId, group }) => `${agentId ?? "local"} ${group}`)].flatMap(([key, own]) =>
    own[0] === undefined ? [] : [{ key, name: own[0].group, agentId: own[0].agentId, members: own, networks: networksAmong(joining, own) }],
  );
}

/** Only containers that can be reached from outside of their host, with all that they need; bands without any are left out. */
export function exposedBands(bands: readonly Band[]): Band[] {
  const byId = new Map(bands.flatMap(({ members }) => members.map((member) => [member.id, member])));
  const kept = new Set<number>();
  const open = [...byId.values()].filter(({ entrances }) => entrances.some(({ reach }) => reach !== "host")).map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (kept.has(id)) continue;
    kept.add(id);
    open.push(...(byId.get(id)?.needs ?? []));
  }
  return bands
    .map((band) => ({
      ...band,
      members: band.members.filter(({ id }) => kept.has(id)),
      networks: band.networks.map((network) => ({ ...network, members: network.members.filter((id) => kept.has(id)) })).filter(joins),
    }))
    .filter(({ members }) => members.length > 0);
}

function networksAmong(networks: readonly (Topology["networks"][number] & { key: string })[], members: readonly Member[]): Network[] {
  const own = new Set(members.map(({ id }) => id));
  return networks
    .map(({ key, kind, name, service_type: serviceType, ports, container_ids: ids }) => {
      return { key, kind, name, serviceType, ports, members: ids.filter((id) => own.has(id)) };
    })
    .filter(joins);
}

/** Whether a network joins the whole group, as that of a Compose project does: lines to all of it would say nothing. */
export function joinsAll({ kind, members }: Network, { members: all }: Pick<Band, "members">): boolean {
  return kind === "docker_network" && members.length === all.length;
}

/** A network of one joins nothing; a service is the way to its workload. */
function joins({ kind, members }: Network): boolean {
  return members.length > (kind === "docker_network" ? 1 : 0);
}

function entrancesOf(ports: readonly Port[]): Entrance[] {
  const byLabel = new Map<string, Entrance>();
  for (const { host_ip: ip, host_port: port, protocol, reach } of ports) {
    const address = reach === "every_network" ? "" : ip.includes(":") ? `[${ip}]` : ip;
    const label = `${address}:${port}${protocol === "tcp" ? "" : `/${protocol}`}`;
    byLabel.set(label, { label, reach });
  }
  return [...byLabel.values()];
}
