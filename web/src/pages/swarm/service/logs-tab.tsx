import type { ServiceDetail } from "../../../../../src/monitoring/swarm/answers.ts";
import { countOf } from "../../../format/number.ts";
import { LogView } from "../../../logs/log-view.tsx";
import { createTaskOverlap } from "../../../logs/overlap.ts";
import { useLog } from "../../../logs/use-log.ts";
import { useLogAddress } from "../../../logs/use-log-address.ts";
import type { Marker } from "../../../logs/weave.ts";

const NO_MARKERS: readonly Marker[] = [];

/** The log of all tasks of a service, live, each line with its task. */
export function LogsTab({ service }: { service: ServiceDetail }) {
  const address = useLogAddress("/swarm/services/$id");
  const log = useLog({
    route: "GET /api/v1/swarm/services/{id}/logs",
    id: service.id,
    overlap: createTaskOverlap,
    markers: NO_MARKERS,
    runKey: null,
  });
  const [first] = log.unseen;
  return (
    <>
      {first !== undefined && (
        <p className="mt-3 text-sm text-ink-2">
          {countOf(log.unseen.length, "task")} not in it: {first.task_name} ({first.reason})
        </p>
      )}
      <LogView name={service.name} log={log} {...address} end="The service was removed. These are its last log lines." />
    </>
  );
}
