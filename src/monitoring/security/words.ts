import { joinWords } from "../../contract/words.ts";
import type { InsightType } from "../../events.ts";
import { INSIGHTS, type Insight, type Binding, reachOf } from "./insight.ts";

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
  /** Part of a compose file or a manifest; null where there is none to show. */
  snippet: string | null;
}

/** As many places of a port are named. */
const NAMED_BINDINGS = 4;

export function wordsOf(container: Named, insight: Insight): InsightWords {
  return { title: titleOf(insight), ...SENTENCES[insight.type](container, insight) };
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Whether the host has it open where visitors of websites come: HTTP and HTTPS, also HTTP/3. */
export function isForVisitors({ type, bindings }: Pick<Insight, "type" | "bindings">): boolean {
  return type === "port_exposed_all_interfaces" && bindings.length > 0 && bindings.every(({ hostPort }) => WEB_PORTS.has(hostPort));
}

/** What is found, for the end of a sentence about the container: `port 80/tcp is open on all interfaces`. */
export function shortWords({ type, key, database }: Pick<Insight, "type" | "key" | "database">): string {
  if (type === "port_exposed_all_interfaces") return `port ${key} is open on all interfaces`;
  if (type === "database_port_exposed") return `port ${key} of a database${database === null ? "" : ` (${database})`} is published`;
  return SHORT_WORDS[type];
}

const SHORT_WORDS: Readonly<Record<Exclude<InsightType, "port_exposed_all_interfaces" | "database_port_exposed">, string>> = {
  privileged_container: "it is privileged",
  host_network_mode: "it uses host network mode",
  service_load_balancer: "a load balancer leads to it",
  service_node_port: "it is open on a port of every node",
  missing_network_policy: "no network policy protects it",
  host_path_mount: "it mounts paths of its node",
  runs_as_root: "it runs as root",
  missing_limits: "it has no resource limits",
  latest_tag: "its image has no fixed version",
};

function titleOf({ type, key }: Insight): string {
  const { title } = INSIGHTS[type];
  return key === "" ? title : `${title}: ${key}`;
}

type Sentences = (container: Named, insight: Insight) => Omit<InsightWords, "title">;

const SENTENCES: Readonly<Record<InsightType, Sentences>> = {
  port_exposed_all_interfaces: (container, insight) => ({
    what: `Port ${insight.key} of ${container.name} is published on all host interfaces: ${placesOf(insight.bindings)}.`,
    why: "Anyone who can reach the host on any network can reach the container. Docker opens the port before firewalls such as ufw or firewalld, so their rules do not block it.",
    ...(isForVisitors(insight)
      ? {
          fix: "Ports 80 and 443 are usually public on purpose, as of a reverse proxy or a website: leave it open then, and acknowledge it with a reason. Otherwise publish it on one specific address.",
          snippet: null,
        }
      : {
          fix: "Publish it on 127.0.0.1 behind a reverse proxy, or on one specific address. If it is public on purpose, acknowledge it with a reason.",
          snippet: publishedLocally(container, insight.key, insight.bindings),
        }),
  }),
  database_port_exposed(container, insight) {
    const { key, bindings, database, everyNode } = insight;
    const places = everyNode === true ? `port ${bindings[0]?.hostPort ?? 0} of every node` : placesOf(bindings);
    return {
      what: `Port ${key} of ${container.name}, where ${database ?? "a database"} usually listens, is published on ${places}.`,
      why: "The internet is constantly scanned for databases, and many need no password by default. Containers on the same network can reach it without a published port.",
      ...(everyNode === true
        ? closedToNodes(container, insight)
        : {
            fix: "Remove the port and let other containers reach it by name over a shared network. To reach it from the host only, publish it on 127.0.0.1.",
            snippet: publishedLocally(container, key, bindings),
          }),
    };
  },
  host_path_mount: (container, { names = [] }) => ({
    what: `${container.name} mounts paths of its node: ${joinWords(names.slice(0, NAMED_BINDINGS))}.`,
    why: "What writes there writes on the node: with the right path, such as that of the container runtime's socket, it controls the node and all pods on it.",
    fix: "Use a persistent volume, a ConfigMap or a Secret; where the path is needed, mount it read-only.",
    snippet: "volumeMounts:\n  - name: data\n    readOnly: true",
  }),
  runs_as_root: (container, { names = [] }) => ({
    what: `${container.name} runs as root${inContainers(names)}.`,
    why: "An attacker in this container who finds a way out of it is root on the node.",
    fix: "Run it as a user without rights and forbid root in its security context.",
    snippet: "securityContext:\n  runAsNonRoot: true\n  runAsUser: 10001\n  allowPrivilegeEscalation: false",
  }),
  missing_limits: (container, { names = [] }) => ({
    what: `${container.name} has no memory limit${inContainers(names)}.`,
    why: "One pod can use all memory of its node, and take others down with it.",
    fix: "Set requests and limits, at what it uses with some room.",
    snippet: "resources:\n  requests:\n    cpu: 100m\n    memory: 128Mi\n  limits:\n    memory: 256Mi",
  }),
  latest_tag: (container, { names = [] }) => ({
    what: `${container.name} uses an image without a fixed version: ${joinWords(names.slice(0, NAMED_BINDINGS))}.`,
    why: "What runs depends on when a node pulled it: two pods can run different versions, and there is no version to go back to.",
    fix: "Name a version, and best its digest too.",
    snippet: null,
  }),
  privileged_container: (container) => ({
    what: `${container.name} is privileged: it has every capability and access to all host devices.`,
    why: "An attacker in this container is root on the host: they can mount disks, load kernel modules and reach every other container.",
    fix: "Remove privileged and grant only what it needs: capabilities with cap_add, devices with devices.",
    snippet:
      container.runtime === "kubernetes"
        ? "securityContext:\n  privileged: false\n  capabilities:\n    add: [NET_ADMIN]   # only what it needs"
        : inService(container, ["privileged: false", "cap_add:", "  - NET_ADMIN   # only what it needs", "devices:", "  - /dev/ttyUSB0"]),
  }),
  host_network_mode: (container) => ({
    what: `${container.name} uses host network mode: every port it opens is open on the host.`,
    why: "It is not isolated from the host's networks, and it can reach services on 127.0.0.1 of the host, such as a database or an admin page without a password.",
    fix: "Remove network_mode: host and publish only the ports it needs, on 127.0.0.1 where possible.",
    snippet:
      container.runtime === "kubernetes"
        ? "spec:\n  hostNetwork: false"
        : inService(container, ["# network_mode: host", "ports:", '  - "127.0.0.1:8080:8080"']),
  }),
  service_load_balancer: (container) => ({
    what: `A LoadBalancer service exposes ${container.name}.`,
    why: "The cloud provider assigns a public address by default.",
    fix: "Use ClusterIP and an ingress, or limit client addresses with loadBalancerSourceRanges.",
    snippet: "spec:\n  type: ClusterIP",
  }),
  service_node_port: (container, insight) =>
    container.runtime === "swarm"
      ? onEveryNode(container, insight)
      : {
          what: `A NodePort service exposes ${container.name}.`,
          why: "It is open on every cluster node and bypasses the ingress and its rules.",
          ...closedToNodes(container, insight),
        },
  missing_network_policy: (container) => ({
    what: `No network policy selects ${container.name}.`,
    why: "Every pod in the cluster can reach it, and it can reach every pod.",
    fix: "Add a policy that defines allowed traffic.",
    snippet:
      "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: default-deny-ingress\nspec:\n  podSelector: {}\n  policyTypes: [Ingress]",
  }),
};

/** ` in web and proxy`. */
function inContainers(names: readonly string[]): string {
  return names.length === 0 ? "" : ` in ${joinWords(names.slice(0, NAMED_BINDINGS))}`;
}

/** What the routing mesh of a swarm publishes. */
function onEveryNode(container: Named, { key, bindings }: Insight): Omit<InsightWords, "title"> {
  const port = bindings[0]?.hostPort ?? 0;
  return {
    what: `Port ${key} of the service of ${container.name} is published by the routing mesh: port ${port} is open on every node of the swarm.`,
    why: "Every node takes connections for it on all of its addresses, also nodes without a task of the service, and past a firewall such as ufw or firewalld.",
    ...closedToNodes(container, { key, bindings }),
  };
}

/** How a port of every node is closed: no part of it can be bound to an address of one. */
function closedToNodes(container: Named, { key, bindings }: Pick<Insight, "key" | "bindings">): Pick<InsightWords, "fix" | "snippet"> {
  if (container.runtime !== "swarm") return { fix: "Use ClusterIP and an ingress.", snippet: "spec:\n  type: ClusterIP" };
  const published = bindings[0]?.hostPort ?? 0;
  return {
    fix: "Put the service and whoever uses it on a common overlay network and take the published port out; or publish it with mode: host, on the nodes that are meant.",
    snippet: inService(container, ["ports:", `  - target: ${key.split("/")[0]}`, `    published: ${published}`, "    mode: host"]),
  };
}

/** `0.0.0.0:8080 and [::]:8080`. */
function placesOf(bindings: readonly Binding[]): string {
  const places = bindings
    .slice(0, NAMED_BINDINGS)
    .map(({ hostIp, hostPort }) => `${hostIp.includes(":") ? `[${hostIp}]` : hostIp}:${hostPort}`);
  if (bindings.length > places.length) places.push(`${bindings.length - places.length} more`);
  return joinWords(places);
}

/** Its ports as they stand in a compose file when only the host may reach them. */
function publishedLocally(container: Named, key: string, bindings: readonly Binding[]): string {
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
