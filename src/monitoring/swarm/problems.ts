import type { Cluster } from "./cluster.ts";
import { problemsOfNode, quorumProblem } from "./node-problems.ts";
import { type Memory, problemKey, type SwarmProblem, WAITS_MS } from "./problem.ts";
import { isDown, servicesOf } from "./replicas.ts";
import { LOOP_WINDOW_MS, problemsOfService } from "./service-problems.ts";

/**
 * What is wrong with a cluster that a manager shows now. `memory` is changed: it holds since when. `alerted` holds the keys of problems that are alerted
 * already: they last until health is seen, and need not wait again.
 */
export function problemsOf(
  cluster: Cluster,
  { memory, alerted, now }: { memory: Memory; alerted: ReadonlySet<string>; now: Date },
): SwarmProblem[] {
  const { topology } = cluster;
  const context = {
    memory,
    alerted,
    now,
    down: new Set(topology.nodes.filter(isDown).map(({ id }) => id)),
  };
  const found = [
    ...servicesOf(topology)
      .filter(({ service }) => !service.settings.ignored)
      .flatMap((each) => problemsOfService(each, context)),
    ...topology.nodes.flatMap((node) => problemsOfNode(node, topology.tasks, context)),
    ...quorumProblem(cluster, topology.nodes, context),
  ];
  const wrong = new Set(found.map(({ alert, id }) => problemKey(alert, id)));
  for (const key of memory.since.keys()) if (!wrong.has(key)) memory.since.delete(key);
  forgetGone(memory, new Set(topology.services.map(({ id }) => id)), now);
  return found.filter(({ alert, id, since }) => {
    const key = problemKey(alert, id);
    return alerted.has(key) || now.getTime() - since.getTime() >= WAITS_MS[alert];
  });
}

/** What is remembered of services goes with them, and failures of places that they have no more in their time. */
function forgetGone({ failures, updating, rolledBack, missing }: Memory, there: ReadonlySet<string>, now: Date): void {
  for (const map of [updating, rolledBack, missing]) for (const id of map.keys()) if (!there.has(id)) map.delete(id);
  const oldestMs = now.getTime() - LOOP_WINDOW_MS;
  for (const [place, times] of failures) {
    const isOver = [...times.values()].every((at) => at.getTime() < oldestMs);
    if (isOver || !there.has(place.slice(0, place.indexOf(" ")))) failures.delete(place);
  }
}
