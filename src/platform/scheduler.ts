import type { Clock, Timer } from "./clock.ts";
import type { Log } from "./log.ts";

export interface Task {
  name: string;
  everyMs: number;
  /** Before the first run; by default a whole period. */
  firstAfterMs?: number;
  run(signal: AbortSignal): Promise<void> | void;
}

/** Runs periodic work: one run of a task at a time, failures logged and tried again next period. */
export interface Scheduler {
  /** Starts a task; returns how to end it. */
  every(task: Task): () => void;
  /** Ends all tasks and waits for those under way. */
  stop(): Promise<void>;
}

export function createScheduler(clock: Clock, log: Log): Scheduler {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const timers = new Set<Timer>();

  function arm(task: Task, delayMs: number, ended: () => boolean): void {
    if (ended() || stopping.signal.aborted) return;
    const timer = clock.after(delayMs, () => {
      timers.delete(timer);
      const startedMs = clock.monotonicMs();
      const run = attempt(task).finally(() => {
        underWay.delete(run);
        const lateMs = clock.monotonicMs() - startedMs;
        arm(task, Math.max(task.everyMs - lateMs, 0), ended);
      });
      underWay.add(run);
    });
    timers.add(timer);
  }

  async function attempt(task: Task): Promise<void> {
    if (stopping.signal.aborted) return;
    try {
      await task.run(stopping.signal);
    } catch (error) {
      log.error({ task: task.name, err: error }, "scheduled task failed");
    }
  }

  return {
    every(task) {
      let ended = false;
      arm(task, task.firstAfterMs ?? task.everyMs, () => ended);
      return () => {
        ended = true;
      };
    },
    async stop() {
      stopping.abort();
      for (const timer of timers) timer.cancel();
      timers.clear();
      await Promise.all(underWay);
    },
  };
}
