import type { ObservationSink } from "../../observations.ts";
import type { SwarmTask } from "../../observations/swarm.ts";
import { isBeside, type PresentContainers, type SavedContainer, slotOf } from "../containers/index.ts";
import type { MoveContainer } from "../move-container.ts";
import { type Membership, NODE_ID, serviceIdOf, TASK_ID } from "./membership.ts";
import type { Register } from "./register.ts";
import type { Cluster } from "./replicas.ts";
import type { TaskContainers } from "./task-containers.ts";

export interface FollowedMoves {
  register: Pick<Register, "clusters">;
  membership: Pick<Membership, "clusterOf" | "ofContainer" | "isNode">;
  present: Pick<PresentContainers, "get" | "hosts" | "knownIds">;
  move: MoveContainer;
  taskContainers: Pick<TaskContainers, "lastSeen">;
  /** Where containers are given again whose place is another now. */
  sink: ObservationSink;
}

/** Returns a function that moves the containers of slots whose task runs on another node now; to be called after each look at a swarm. It throws `storage_unavailable`, and may be called again. */
export function followMoves({ register, membership, present, move, taskContainers, sink }: FollowedMoves): () => Promise<void> {
  function* known(): Generator<SavedContainer> {
    for (const id of present.knownIds()) {
      const container = present.get(id);
      if (container !== undefined) yield container;
    }
  }

  return async () => {
    if ([...present.hosts()].length < 2) return;
    for (const cluster of register.clusters()) {
      for (const { before, successor } of movesOf(cluster, known(), membership)) {
        if (!(await move(before, successor))) continue;
        for (const { agentId, externalId } of [successor, before]) {
          const seen = taskContainers.lastSeen(agentId, externalId);
          if (seen !== undefined) sink.observe(agentId, seen);
        }
      }
    }
  };
}

/** A slot whose task runs on another node than the one before it did. */
interface Move {
  /** Has the settings and the history of the slot. */
  before: SavedContainer;
  successor: SavedContainer;
}

/**
 * The slots of a cluster that have moved, by the containers of its tasks on its own hosts. The next one is where the cluster has its task. A global service
 * has none that can.
 */
function movesOf(cluster: Cluster, containers: Iterable<SavedContainer>, membership: FollowedMoves["membership"]): Move[] {
  const { nodes, services, tasks } = cluster.topology;
  const [nodeIds, serviceIds] = [nodes, services].map((all) => new Set(all.map(({ id }) => id)));
  const isNamed = ({ labels }: SavedContainer): boolean =>
    nodeIds?.has(labels[NODE_ID] ?? "") === true || serviceIds?.has(serviceIdOf({ labels }) ?? "") === true;
  const isOfCluster = (each: SavedContainer): boolean => isNamed(each) && membership.ofContainer(each)?.id === cluster.id;
  const wanted = new Map(tasks.filter(isWanted).map((task) => [task.id, task]));
  const slots = Map.groupBy(
    [...containers].filter((each) => slotOf(each.labels) !== undefined && !isBeside(each) && isOfCluster(each)),
    ({ identity }) => identity,
  );
  return [...slots.values()].flatMap((ofSlot) => {
    const successor = ofSlot.find(isNext);
    if (successor === undefined) return [];
    // While a new task starts before the old one ends, both are wanted; one that is seen sooner than its task is not wanted yet.
    const others = ofSlot.filter((each) => !isNext(each) && each.id < successor.id);
    const [before] = others.sort((a, b) => b.lastStateChangeAt.getTime() - a.lastStateChangeAt.getTime());
    return before === undefined ? [] : [{ before, successor }];
  });

  function isNext({ agentId, labels, archivedAt }: SavedContainer): boolean {
    const task = wanted.get(labels[TASK_ID] ?? "");
    if (archivedAt !== null || task === undefined || membership.clusterOf(agentId) !== cluster.id) return false;
    return task.nodeId !== null && membership.isNode(agentId, task.nodeId);
  }
}

/** A job wants its tasks complete. */
function isWanted({ desiredState }: SwarmTask): boolean {
  return desiredState === "running" || desiredState === "complete";
}
