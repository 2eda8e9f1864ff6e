import type { SwarmAlert } from "../../events.ts";
import type { SwarmNode, SwarmTask } from "../../observations/swarm.ts";
import { type Context, problemKey, sinceOf, type SwarmProblem, UNLABELLED, WAITS_MS } from "./problem.ts";
import { isDown, type Cluster } from "./replicas.ts";

/** What is wrong with one node. `memory` is changed. */
export function problemsOfNode(node: SwarmNode, tasks: readonly SwarmTask[], { memory, now }: Context): SwarmProblem[] {
  const base = { ...UNLABELLED, id: node.id, name: node.hostname, entity_type: "swarm_node" as const };
  const since = (alert: SwarmAlert): Date => sinceOf(memory, problemKey(alert, node.id), now);
  if (isDown(node))
    return [
      {
        ...base,
        alert: "node_down",
        severity: "critical",
        message: `The node ${node.hostname} is down.`,
        cause: node.message,
        since: since("node_down"),
      },
    ];
  // To drain a node is to ask all that runs on it to end.
  const left = node.availability === "drain" ? tasks.filter(({ nodeId, state }) => nodeId === node.id && state === "running").length : 0;
  if (left === 0) return [];
  return [
    {
      ...base,
      alert: "node_drained_with_tasks",
      severity: "warning",
      message: `The node ${node.hostname} is drained, and ${left} ${left === 1 ? "task still runs" : "tasks still run"} on it.`,
      cause: null,
      since: since("node_drained_with_tasks"),
    },
  ];
}

/** What is wrong with the managers together. `memory` is changed. */
export function quorumProblem({ id }: Cluster, nodes: readonly SwarmNode[], { memory, now }: Context): SwarmProblem[] {
  const managers = nodes.filter(({ manager }) => manager !== null);
  const lost = managers.filter((node) => node.manager?.reachability === "unreachable" || isDown(node));
  if (lost.length === 0) return [];
  const left = managers.length - lost.length;
  const spare = left - (Math.floor(managers.length / 2) + 1);
  return [
    {
      ...quorumBase(id),
      severity: spare < 0 ? "critical" : "warning",
      message:
        spare > 0
          ? `${left} of ${managers.length} managers of the swarm are reachable.`
          : `${left} of ${managers.length} managers of the swarm are reachable: without one more there is no quorum.`,
      cause: `unreachable: ${lost.map(({ hostname }) => hostname).join(", ")}`,
      since: sinceOf(memory, problemKey("quorum_degraded", id), now),
    },
  ];
}

/** Since when a quorum has been lost; that of managers that are unreachable may be older. */
export function lostKey(id: string): string {
  return `quorum_lost ${id}`;
}

/** A manager says that there is no leader. Nothing else is known then. */
export function quorumLost({ id, reason }: Cluster, { memory, now }: Pick<Context, "memory" | "now">): SwarmProblem | undefined {
  const since = sinceOf(memory, lostKey(id), now);
  if (now.getTime() - since.getTime() < WAITS_MS.quorum_degraded) return undefined;
  const message = "The swarm has lost its quorum: services keep running as they are, and cannot be seen or changed.";
  return { ...quorumBase(id), severity: "critical", message, cause: reason, since };
}

function quorumBase(id: string) {
  return { ...UNLABELLED, id, name: "Swarm", alert: "quorum_degraded" as const, entity_type: "swarm" as const };
}
