import { MINUTE_MS } from "../../contract/time.ts";
import { placeOf, type SwarmService, type SwarmTask, type SwarmTopology } from "../../observations/swarm.ts";

const OVER: ReadonlySet<SwarmTask["state"]> = new Set(["complete", "shutdown", "failed", "rejected", "remove", "orphaned"]);
/** As long as failures count for a crash loop. */
const RECENT_MS = 10 * MINUTE_MS;

/** What problems are judged by: tasks that are not over, the newest of each place, and recent failures. Services without constraints and configs, and of labels with those alone that are for us. */
export function smallTopology(topology: SwarmTopology, at: Date): SwarmTopology {
  const modes = new Map(topology.services.map(({ id, mode }) => [id, mode]));
  const byPlace = Map.groupBy(topology.tasks, (task) => `${task.serviceId} ${placeOf(task, modes.get(task.serviceId))}`);
  const newest = new Set(
    [...byPlace.values()].map((ofPlace) => ofPlace.reduce((latest, task) => (task.createdAt > latest.createdAt ? task : latest))),
  );
  const isRecentFailure = ({ state, since }: SwarmTask): boolean =>
    (state === "failed" || state === "rejected") && at.getTime() - since.getTime() <= RECENT_MS;
  return {
    ...topology,
    services: topology.services.map((service) => ({ ...service, labels: ownLabels(service), constraints: [], configs: [] })),
    tasks: topology.tasks.filter((task) => !OVER.has(task.state) || newest.has(task) || isRecentFailure(task)),
  };
}

function ownLabels({ labels }: SwarmService): SwarmService["labels"] {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label.startsWith("service.")));
}
