import { messageOf } from "../../platform/errors.ts";
import type { ContainerService } from "../containers/index.ts";
import type { ServiceLogs, ServiceLogQuery, TaskRecord } from "./api.ts";

/** Of the newest tasks; each asks its engine, and there may be thousands. */
const MOST_TASKS = 50;

/** The last lines of a service's tasks, in the order of time, oldest first, as far as their containers are seen. */
export async function readServiceLogs(
  tasks: readonly TaskRecord[],
  { containers, query, signal }: { containers: Pick<ContainerService, "logs">; query: ServiceLogQuery; signal: AbortSignal },
): Promise<Omit<ServiceLogs, "service_id">> {
  const { lines, since, search } = query;
  const asked = tasks.slice(0, MOST_TASKS);
  const logs = await Promise.all(
    asked.map(async (task) => {
      if (task.container_id === null) return { task, reason: whyNoContainer(task) };
      try {
        return { task, log: await containers.logs(task.container_id, { lines, since, search, timestamps: true }, signal) };
      } catch (error) {
        signal.throwIfAborted();
        return { task, reason: messageOf(error) };
      }
    }),
  );
  const all = logs.flatMap(({ task, log }) =>
    (log?.lines ?? []).map((line) => ({ ...line, task_id: task.id, task_name: task.name, slot: task.slot, node_name: task.node_name })),
  );
  // Lines of one task without a time stay where they are.
  all.sort((a, b) =>
    a.timestamp === null || b.timestamp === null ? 0 : a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp),
  );
  return {
    lines: all.slice(-lines),
    truncated: all.length > lines || tasks.length > MOST_TASKS || logs.some(({ log }) => log?.truncated === true),
    // Of those that are over nobody expects a log for ever.
    unseen: logs
      .filter(({ task, log }) => log === undefined && task.is_current)
      .map(({ task, reason }) => ({ task_id: task.id, task_name: task.name, node_name: task.node_name, reason: reason ?? "" })),
  };
}

/** Of a task whose container is not seen. */
export function whyNoContainer({ external_id: externalId }: Pick<TaskRecord, "external_id">): string {
  return externalId === null ? "It has no container yet." : "Its node is not watched, or its container is gone.";
}
