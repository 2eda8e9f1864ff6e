import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { createLimiter, type Limiter } from "../../platform/limiter.ts";
import type { ContainerService } from "../containers/index.ts";
import type { ServiceLogLine, ServiceLogs, ServiceLogQuery, TaskRecord } from "./api.ts";

/** Those that are to run first; each asks its engine, and there may be thousands. */
const MOST_TASKS = 1_000;
/** Logs that are read at once; of one host as many as its agent's other work has room for. */
const AT_ONCE = { inAll: 16, ofHost: 4 };
const WITHIN_MS = 20_000;

const NOT_ASKED = "It was not asked: reading the others took too long.";
const TOO_MANY = `It was not asked: of one service at most ${MOST_TASKS.toLocaleString("en")} tasks are.`;

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
  const limits = createLimits();
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

  async function read(task: TaskRecord, containerId: number): Promise<void> {
    signal.throwIfAborted();
    if (late.signal.aborted) return miss(task, NOT_ASKED);
    try {
      take(task, await containers.logs(containerId, { lines, since, search, timestamps: true }, ending));
    } catch (error) {
      signal.throwIfAborted();
      miss(task, late.signal.aborted ? "It did not answer in time." : messageOf(error));
    }
  }

  try {
    await Promise.all(
      tasks.map(async (task, index) => {
        const { container_id: id, agent_id: agentId } = task;
        if (id === null) miss(task, whyNoContainer(task));
        else if (index >= MOST_TASKS) miss(task, TOO_MANY);
        else await limits(agentId, () => read(task, id));
      }),
    );
  } finally {
    timer.cancel();
  }
  return { lines: newest, truncated: isCut, unseen };
}

/** Work in order, with bounds for all and for each host. */
function createLimits(): <Result>(agentId: string | null, work: () => Promise<Result>) => Promise<Result> {
  const inAll = createLimiter(AT_ONCE.inAll);
  const ofHosts = new Map<string | null, Limiter>();
  return (agentId, work) => {
    const ofHost = ofHosts.get(agentId) ?? createLimiter(AT_ONCE.ofHost);
    ofHosts.set(agentId, ofHost);
    return ofHost(() => inAll(work));
  };
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
