import type { SwarmTask, SwarmTopology } from "../../observations/swarm.ts";
import type { Clock } from "../../platform/clock.ts";
import { slotOf } from "../containers/index.ts";
import { serviceIdOf } from "./task-containers.ts";

type Labels = Readonly<Record<string, string>>;

const TASK_ID = "com.docker.swarm.task.id";
/** After a start a manager shows its swarm within this time, if it is watched at all. */
const SETTLING_MS = 60_000;

/**
 * Answers whether a container is that of an earlier task of its slot: the swarm started the next one, on whichever node, and that runs. Undefined as long as
 * no manager has shown its service since the start and one may still do so. What was shown last holds while no manager is reached.
 */
export function createSupersession({ topologies, clock }: { topologies: () => readonly SwarmTopology[]; clock: Clock }) {
  const startedMs = clock.monotonicMs();
  return ({ labels }: { labels: Labels }): boolean | undefined => {
    const serviceId = serviceIdOf({ labels });
    if (serviceId === undefined) return false;
    for (const { services, tasks } of topologies()) {
      if (!services.some(({ id }) => id === serviceId)) continue;
      // That of a global service is a node, which has no number.
      const slot = Number(slotOf(labels));
      const isNext = ({ serviceId: of, slot: other, id, state, desiredState }: SwarmTask): boolean =>
        of === serviceId && other === slot && id !== labels[TASK_ID] && state === "running" && desiredState === "running";
      return tasks.some(isNext);
    }
    return clock.monotonicMs() - startedMs < SETTLING_MS ? undefined : false;
  };
}
