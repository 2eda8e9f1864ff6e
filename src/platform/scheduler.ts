import type { Clock, Timer } from "./clock.ts";
import { isServiceError } from "./errors.ts";
import type { Log } from "./log.ts";

export interface Task {
  name: string;
  everyMs: number;
  /** Before the first run; by default a whole period. */
  firstAfterMs?: number;
  run(signal: AbortSignal): Promise<void> | void;
}

/**
 * Runs periodic work: one run of a task at a time, failures logged and tried again next period. That there is no database is told elsewhere, once:
 * here it only puts the work off.
 */
export interface Scheduler {
  /** Starts a task; returns how to end it. A run under way is finished, no other begins. */
  every(task: Task): () => void;
  /** Ends all tasks and waits for those under way. */
  stop(): Promise<void>;
}

/** Tasks are run on a common beat, so that a process at rest wakes up for all of them at once. */
const BEAT_MS = 500;

export function createScheduler(clock: Clock, log: Log): Scheduler {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const timers = new Map<Task, Timer>();

  function arm(task: Task, delayMs: number): void {
    timers.set(
      task,
      clock.after(untilBeat(clock.monotonicMs(), delayMs), () => {
        const startedMs = clock.monotonicMs();
        const run = attempt(task).finally(() => {
          underWay.delete(run);
          const tookMs = clock.monotonicMs() - startedMs;
          if (timers.has(task)) arm(task, Math.max(task.everyMs - tookMs, 0));
        });
        underWay.add(run);
      }),
    );
  }

  async function attempt(task: Task): Promise<void> {
    try {
      await task.run(stopping.signal);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) log.debug({ task: task.name }, "scheduled task put off: no database");
      else log.error({ task: task.name, err: error }, "scheduled task failed");
    }
  }

  function end(task: Task): void {
    timers.get(task)?.cancel();
    timers.delete(task);
  }

  return {
    every(task) {
      const mine = { ...task };
      if (!stopping.signal.aborted) arm(mine, mine.firstAfterMs ?? mine.everyMs);
      return () => end(mine);
    },
    async stop() {
      stopping.abort();
      for (const task of timers.keys()) end(task);
      await Promise.all(underWay);
    },
  };
}

/** The delay to the beat that is nearest to the end of a delay; delays that are shorter than a beat stay. */
function untilBeat(nowMs: number, delayMs: number): number {
  if (delayMs < BEAT_MS / 2) return delayMs;
  return Math.max(Math.round((nowMs + delayMs) / BEAT_MS) * BEAT_MS - nowMs, 0);
}
