import type { InsightType } from "../../events.ts";
import { type Binding, reachOf } from "./exposure.ts";
import { INSIGHTS, type Insight } from "./insight.ts";

/** How a container is named in a compose file, and to people. */
export interface Named {
  name: string;
  /** What runs it; absent: whatever it is. */
  runtime?: string;
  /** The compose service. */
  unit: string | null;
}

/** A finding in sentences: what it is, why it matters, what to do, and how that is written down. */
export interface InsightWords {
  title: string;
  what: string;
  why: string;
  fix: string;
  /** Part of a compose file; null where there is none to show. */
  snippet: string | null;
}

/** As many places of a port are named. */
const NAMED_BINDINGS = 4;

export function wordsOf(container: Named, insight: Insight): InsightWords {
  return { title: titleOf(insight), ...SENTENCES[insight.type](container, insight) };
}

/** What is found, for the end of a sentence about the container: `port 80/tcp is open to every network`. */
export function shortWords({ type, key, database }: Pick<Insight, "type" | "key" | "database">): string {
  switch (type) {
    case "port_exposed_all_interfaces":
      return `port ${key} is open to every network`;
    case "database_port_exposed":
      return `port ${key} of a database${database === null ? "" : ` (${database})`} is published`;
    case "privileged_container":
      return "it runs privileged";
    case "host_network_mode":
      return "it uses the network of the host";
    case "service_load_balancer":
      return "a load balancer leads to it";
    case "service_node_port":
      return "it is open on a port of every node";
    case "missing_network_policy":
      return "no network policy protects it";
  }
}

function titleOf({ type, key }: Insight): string {
  const { title } = INSIGHTS[type];
  return key === "" ? title : `${title}: ${key}`;
}

type Sentences = (container: Named, insight: Insight) => Omit<InsightWords, "title">;

const SENTENCES: Readonly<Record<InsightType, Sentences>> = {
  port_exposed_all_interfaces: (container, { key, bindings }) => ({
    what: `Port ${key} of ${container.name} is published on every address of the host: ${placesOf(bindings)}.`,
    why: "Whoever reaches the host on any of its networks reaches the container. Docker opens the port before a firewall such as ufw or firewalld sees the traffic, so a rule there does not close it.",
    fix: "Publish it on 127.0.0.1 and put a reverse proxy before it; or on the one address that is meant. If it has to be open to everybody, acknowledge it and say why.",
    snippet: publishedLocally(container, key, bindings),
  }),
  database_port_exposed: (container, { key, bindings, database }) => ({
    what: `Port ${key} of ${container.name}, where ${database ?? "a database"} usually listens, is published on ${placesOf(bindings)}.`,
    why: "Databases are searched for on the internet all day, and many accept whoever comes without a password by default. Containers on the same network reach it without its port being published.",
    fix: "Take the port out and let other containers reach it by its name over a common network. To reach it from the host alone, publish it on 127.0.0.1.",
    snippet: publishedLocally(container, key, bindings),
  }),
  privileged_container: (container) => ({
    what: `${container.name} runs privileged: it has every capability, and all devices of the host.`,
    why: "Whoever gets into it is root on the host: they can mount its disks, load kernel modules and reach every other container.",
    fix: "Take privileged out and grant only what it needs: single capabilities with cap_add, single devices with devices.",
    snippet: inService(container, [
      "privileged: false",
      "cap_add:",
      "  - NET_ADMIN   # only what it needs",
      "devices:",
      "  - /dev/ttyUSB0",
    ]),
  }),
  host_network_mode: (container) => ({
    what: `${container.name} uses the network of the host: every port that it opens is open on the host.`,
    why: "Nothing stands between it and the networks of the host, and it reaches whatever listens on 127.0.0.1 there, such as a database or an admin page without a password.",
    fix: "Take network_mode: host out and publish only the ports that are needed, on 127.0.0.1 where that is enough.",
    snippet: inService(container, ["# network_mode: host", "ports:", '  - "127.0.0.1:8080:8080"']),
  }),
  service_load_balancer: (container) => ({
    what: `A service of type LoadBalancer leads to ${container.name}.`,
    why: "The cloud gives it a public address, unless it is told otherwise.",
    fix: "Use ClusterIP and an ingress, or bound the addresses that may come with loadBalancerSourceRanges.",
    snippet: "spec:\n  type: ClusterIP",
  }),
  service_node_port: (container, insight) =>
    container.runtime === "swarm"
      ? onEveryNode(container, insight)
      : {
          what: `A service of type NodePort leads to ${container.name}.`,
          why: "It is open on every node of the cluster, past the ingress and its rules.",
          fix: "Use ClusterIP and an ingress.",
          snippet: "spec:\n  type: ClusterIP",
        },
  missing_network_policy: (container) => ({
    what: `No network policy selects ${container.name}.`,
    why: "Every pod of the cluster may reach it, and it may reach every pod.",
    fix: "Add a policy that names who may come in.",
    snippet:
      "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: default-deny-ingress\nspec:\n  podSelector: {}\n  policyTypes: [Ingress]",
  }),
};

/** What the routing mesh of a swarm publishes. */
function onEveryNode(container: Named, { key, bindings }: Insight): Omit<InsightWords, "title"> {
  const port = bindings[0]?.hostPort ?? 0;
  return {
    what: `Port ${key} of the service of ${container.name} is published by the routing mesh: port ${port} is open on every node of the swarm.`,
    why: "Every node takes connections for it on all of its addresses, also nodes without a task of the service, and past a firewall such as ufw or firewalld.",
    fix: "Put the service and whoever uses it on a common overlay network and take the published port out; or publish it with mode: host, on the nodes that are meant.",
    snippet: inService(container, ["ports:", `  - target: ${key.split("/")[0]}`, `    published: ${port}`, "    mode: host"]),
  };
}

/** `0.0.0.0:8080 and [::]:8080`. */
function placesOf(bindings: readonly Binding[]): string {
  const places = bindings
    .slice(0, NAMED_BINDINGS)
    .map(({ hostIp, hostPort }) => `${hostIp.includes(":") ? `[${hostIp}]` : hostIp}:${hostPort}`);
  if (bindings.length > places.length) places.push(`${bindings.length - places.length} more`);
  return enumerate(places);
}

/** `a, b and c`. */
export function enumerate(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** Its ports as they stand in a compose file when only the host may reach them. */
export function publishedLocally(container: Named, key: string, bindings: readonly Binding[]): string {
  return inService(container, ["ports:", ...localPorts(key, bindings)]);
}

/** The lines of a port, one for each port of the host where more than the host reaches it. */
export function localPorts(key: string, bindings: readonly Binding[]): string[] {
  const [port = "", protocol = "tcp"] = key.split("/");
  const suffix = protocol === "tcp" ? "" : `/${protocol}`;
  const hostPorts = new Set(bindings.filter(({ hostIp }) => reachOf(hostIp) !== "host").map(({ hostPort }) => hostPort));
  return [...hostPorts].map((hostPort) => `  - "127.0.0.1:${hostPort}:${port}${suffix}"`);
}

export function inService({ name, unit }: Named, lines: readonly string[]): string {
  const service = unit ?? name;
  const title = /^[A-Za-z0-9][\w.-]*$/.test(service) ? service : JSON.stringify(service);
  return ["services:", `  ${title}:`, ...lines.map((line) => `    ${line}`)].join("\n");
}
