import { countText } from "../../contract/words.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { workInLanes } from "../../platform/queues.ts";
import type { ContainerService } from "../containers/index.ts";
import type { ServiceLogQuery } from "./api.ts";
import type { ServiceLogLine, ServiceLogs, TaskRecord } from "./answers.ts";

/** Those that are to run first; each asks its engine, and there may be thousands. */
const MOST_TASKS = 1_000;
/** Logs that are read at once; of one host as many as its agent's other work has room for. */
const AT_ONCE = { inAll: 16, ofHost: 4 };
const WITHIN_MS = 20_000;

const NOT_ASKED = "It was not asked: reading the others took too long.";
const TOO_MANY = `It was not asked: of one service at most ${countText(MOST_TASKS)} tasks are.`;

type SeenTask = TaskRecord & { container_id: number };

export interface ServiceLogsParts {
  containers: Pick<ContainerService, "logs">;
  query: ServiceLogQuery;
  clock: Clock;
  signal: AbortSignal;
}

/** The last lines of a service's tasks, in the order of time, oldest first, as far as their containers are seen and answer in time. */
export async function readServiceLogs(
  tasks: readonly TaskRecord[],
  { containers, query, clock, signal }: ServiceLogsParts,
): Promise<Omit<ServiceLogs, "service_id">> {
  const { lines, since, search } = query;
  const late = new AbortController();
  const timer = clock.after(WITHIN_MS, () => late.abort());
  const ending = AbortSignal.any([signal, late.signal]);
  const unseen: ServiceLogs["unseen"] = [];
  let newest: ServiceLogLine[] = [];
  let isCut = false;

  function take(task: TaskRecord, log: Awaited<ReturnType<typeof containers.logs>>): void {
    const facts = { task_id: task.id, task_name: task.name, slot: task.slot, node_name: task.node_name };
    newest = [...newest, ...log.lines.map((line) => ({ ...line, ...facts }))].sort(byTime);
    isCut ||= log.truncated || newest.length > lines;
    newest = newest.slice(-lines);
  }

  function miss(task: TaskRecord, reason: string): void {
    // Of those that are over nobody expects a log for ever.
    if (task.is_current) unseen.push({ task_id: task.id, task_name: task.name, node_name: task.node_name, reason });
    else isCut ||= reason === NOT_ASKED || reason === TOO_MANY;
  }

  const seen = tasks.flatMap((task) => (task.container_id === null ? [] : [{ ...task, container_id: task.container_id }]));
  const waiting = new Set(seen.slice(0, MOST_TASKS));

  async function read(task: SeenTask): Promise<void> {
    waiting.delete(task);
    try {
      take(task, await containers.logs(task.container_id, { lines, since, search, timestamps: true }, ending));
    } catch (error) {
      miss(task, late.signal.aborted ? "It did not answer in time." : messageOf(error));
    }
  }

  for (const task of tasks) if (task.container_id === null) miss(task, whyNoContainer(task));
  for (const task of seen.slice(MOST_TASKS)) miss(task, TOO_MANY);
  try {
    const laneOf = ({ agent_id: agentId }: SeenTask): string => agentId ?? "local";
    await workInLanes([...waiting], { laneOf, perLane: AT_ONCE.ofHost, atOnce: AT_ONCE.inAll, signal: ending }, read);
  } finally {
    timer.cancel();
  }
  signal.throwIfAborted();
  for (const task of waiting) miss(task, NOT_ASKED);
  return { lines: newest, truncated: isCut, unseen };
}

/** Lines without a time stay where they are. */
function byTime(a: ServiceLogLine, b: ServiceLogLine): number {
  if (a.timestamp === null || b.timestamp === null) return 0;
  return a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp);
}

/** Of a task whose container is not seen. */
export function whyNoContainer({ external_id: externalId }: Pick<TaskRecord, "external_id">): string {
  return externalId === null ? "It has no container yet." : "Its node is not watched, or its container is gone.";
}
