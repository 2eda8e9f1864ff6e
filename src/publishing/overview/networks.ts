import { compareNames } from "../../contract/words.ts";
import type { SavedContainer } from "../../monitoring/containers/index.ts";
import type { ServiceOfWorkload } from "../../monitoring/kubernetes/index.ts";
import type { Topology } from "./answers.ts";

type Network = Topology["networks"][number];

/** The services of a cluster that select pods of a container row's workload; none where it is no workload. */
export type ServicesOfWorkload = (container: { agentId: string | null; externalId: string }) => readonly ServiceOfWorkload[];

/** The engine's own, which every container may be in, and those of other containers. */
const NOT_NAMED = /^(bridge|host|none|nat|default|ingress|container:.*)$/;

/** What joins the containers: networks of engines and services of clusters, within limits. */
export function networksOf(
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
