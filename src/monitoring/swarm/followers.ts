import type { LogLine } from "../../runtimes/runtime.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError, messageOf, ServiceError } from "../../platform/errors.ts";
import type { ContainerService, LinesOmitted } from "../containers/index.ts";
import type { ServiceLogStreamEnd, ServiceLogStreamQuery } from "./api.ts";
import type { ServiceLogLine, TaskRecord, UnseenTasks } from "./answers.ts";
import { whyNoContainer } from "./service-logs.ts";

/** What a follower of a service receives. It waits while the reader is slower than the tasks write. */
export type SendOfLogs = (
  event:
    | { event: "log"; data: ServiceLogLine }
    | { event: "omitted"; data: LinesOmitted }
    | { event: "unseen"; data: { tasks: UnseenTasks } },
) => Promise<void>;

/** Each task that is followed holds a connection to an engine: of one reader, and of all readers of services. */
const MOST_OF_ONE = 25;
const MOST_OF_ALL = 100;
const TOO_MANY = "Too many tasks are followed at once.";

/** Tasks have no own events. */
const POLL_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 5_000;
/** Of a task that came later all is new. */
const LINES_OF_LATER = 1_000;

/** How far the log of a task was read: the time of its last line, and how many lines have it. */
interface Reading {
  isOpen: boolean;
  lastMs: number | null;
  count: number;
  /** Why it is not followed, and when to try again; null when its log came to its end. */
  reason: string | null;
  retryAtMs: number;
}

interface Following {
  query: ServiceLogStreamQuery;
  send: SendOfLogs;
  signal: AbortSignal;
}

/** Follows the logs of services: of every task that is to run, and of those to come. */
export function createFollowers({ containers, clock }: { containers: Pick<ContainerService, "find" | "followLogs">; clock: Clock }) {
  let followed = 0;

  /** The lines of a task that were not read before. */
  async function* linesOf(task: TaskRecord, reading: Reading, asked: { lines: number; since?: string | undefined }, signal: AbortSignal) {
    const container = task.container_id === null ? undefined : await containers.find(task.container_id);
    if (container?.externalId !== task.external_id) throw new ServiceError("not_found", "Its container is gone.");
    const { lastMs, count } = reading;
    const from = lastMs === null ? asked : { lines: LINES_OF_LATER, since: new Date(lastMs).toISOString() };
    let repeated = 0;
    for await (const { items, dropped } of containers.followLogs(container, from, signal)) {
      const lines = items.filter(({ timestamp }) => {
        const ms = timestamp?.getTime() ?? null;
        if (ms !== null && lastMs !== null && ms < lastMs) return false;
        if (ms !== null && ms === lastMs && repeated < count) {
          repeated += 1;
          return false;
        }
        if (ms !== null) remember(reading, ms);
        return true;
      });
      yield { lines, dropped };
    }
  }

  async function read(
    task: TaskRecord,
    reading: Reading,
    { query, isLater }: { query: ServiceLogStreamQuery; isLater: boolean },
    to: Following,
  ) {
    followed += 1;
    reading.isOpen = true;
    try {
      const asked = isLater ? { lines: LINES_OF_LATER } : query;
      for await (const { lines, dropped } of linesOf(task, reading, asked, to.signal)) {
        if (dropped > 0) await to.send({ event: "omitted", data: { lines: dropped } });
        for (const line of lines) await to.send({ event: "log", data: lineRecord(task, line) });
      }
      reading.reason = null;
      reading.retryAtMs = clock.monotonicMs();
    } catch (error) {
      if (!isServiceError(error) && !to.signal.aborted) throw error;
      reading.reason = messageOf(error);
      reading.retryAtMs = clock.monotonicMs() + RETRY_AFTER_MS;
    } finally {
      reading.isOpen = false;
      followed -= 1;
    }
  }

  return {
    /** `tasks` answers those of the service as they are now; it throws once there is none. Ends with the signal, or with the service. */
    async follow(tasks: () => readonly TaskRecord[], { query, send, signal }: Following): Promise<ServiceLogStreamEnd> {
      const readings = new Map<string, Reading>();
      const ending = new AbortController();
      const to: Following = { query, send, signal: AbortSignal.any([signal, ending.signal]) };
      const open = new Set<Promise<void>>();
      const before = new Set(tasks().flatMap(({ id, is_current: isCurrent }) => (isCurrent ? [] : [id])));
      let isFirst = true;
      let sent = "[]";
      let failure: { error: unknown } | undefined;

      /** Begins to follow a task where it can be; answers why it is not followed. */
      function followTask(task: TaskRecord): string | null {
        const known = readings.get(task.id);
        if (known?.isOpen === true || (known !== undefined && !task.is_current)) return null;
        if (task.container_id === null) return whyNoContainer(task);
        const reading = known ?? { isOpen: false, lastMs: null, count: 0, reason: null, retryAtMs: 0 };
        if (reading.retryAtMs > clock.monotonicMs()) return reading.reason;
        if (open.size >= MOST_OF_ONE || followed >= MOST_OF_ALL) return TOO_MANY;
        readings.set(task.id, reading);
        const running = read(task, reading, { query, isLater: !isFirst }, to)
          .catch((error: unknown) => {
            failure ??= { error };
            ending.abort();
          })
          .finally(() => open.delete(running));
        open.add(running);
        return reading.reason;
      }

      try {
        while (!to.signal.aborted) {
          const all = tasks().filter(({ id }) => !before.has(id));
          const unseen = all.flatMap((task) => {
            const reason = followTask(task);
            const { id, name, node_name: node } = task;
            return reason === null || !task.is_current ? [] : [{ task_id: id, task_name: name, node_name: node, reason }];
          });
          isFirst = false;
          const there = new Set(all.map(({ id }) => id));
          for (const [id, { isOpen }] of readings) if (!isOpen && !there.has(id)) readings.delete(id);
          if (JSON.stringify(unseen) !== sent) await send({ event: "unseen", data: { tasks: unseen } });
          sent = JSON.stringify(unseen);
          await pause(clock, POLL_EVERY_MS, to.signal);
        }
        if (failure !== undefined) throw failure.error;
        return { reason: "unreadable", message: null };
      } catch (error) {
        if (!isServiceError(error)) throw error;
        return { reason: "service_removed", message: error.message };
      } finally {
        ending.abort();
        await Promise.all(open);
      }
    },
  };
}

function remember(reading: Reading, ms: number): void {
  if (reading.lastMs === ms) reading.count += 1;
  else if (reading.lastMs === null || ms > reading.lastMs) Object.assign(reading, { lastMs: ms, count: 1 });
}

function lineRecord(task: TaskRecord, { timestamp, stream, text }: LogLine): ServiceLogLine {
  const { id, name, slot, node_name: node } = task;
  return { timestamp: timestamp?.toISOString() ?? null, stream, text, task_id: id, task_name: name, slot, node_name: node };
}
