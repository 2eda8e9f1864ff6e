import type { Scheduler } from "../../src/platform/scheduler.ts";

/** A scheduler whose tasks can be waited for, for clocks that run faster than time does. */
export interface WatchedTasks {
  scheduler: Scheduler;
  /** Waits for the tasks that are under way. */
  idle(): Promise<unknown>;
  /** The names of these. */
  underWay(): string[];
}

export function watchTasks(scheduler: Scheduler, report: (what: "begin" | "end") => void = () => undefined): WatchedTasks {
  const underWay = new Map<Promise<unknown>, string>();

  async function watch<Result>(name: string, run: () => Promise<Result> | Result): Promise<Result> {
    report("begin");
    const watched = Promise.resolve(run());
    underWay.set(watched, name);
    try {
      return await watched;
    } finally {
      underWay.delete(watched);
      report("end");
    }
  }

  return {
    scheduler: {
      ...scheduler,
      every: (task) => scheduler.every({ ...task, run: (signal) => watch(task.name, () => task.run(signal)) }),
      whenDue: (task) => scheduler.whenDue({ ...task, run: (signal) => watch(task.name, () => task.run(signal)) }),
    },
    idle: () => Promise.allSettled(underWay.keys()),
    underWay: () => [...underWay.values()],
  };
}
