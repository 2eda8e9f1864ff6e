import type { Scheduler } from "../../src/platform/scheduler.ts";

/** A scheduler whose tasks can be waited for, for clocks that run faster than time does. */
export interface WatchedTasks {
  scheduler: Scheduler;
  /** Waits for the tasks that are under way. */
  idle(): Promise<unknown>;
}

export function watchTasks(scheduler: Scheduler, tell: (what: "begin" | "end") => void = () => undefined): WatchedTasks {
  const underWay = new Set<Promise<unknown>>();

  async function watch<Result>(run: () => Promise<Result> | Result): Promise<Result> {
    tell("begin");
    const watched = Promise.resolve(run());
    underWay.add(watched);
    try {
      return await watched;
    } finally {
      underWay.delete(watched);
      tell("end");
    }
  }

  return {
    scheduler: {
      ...scheduler,
      every: (task) => scheduler.every({ ...task, run: (signal) => watch(() => task.run(signal)) }),
      whenDue: (task) => scheduler.whenDue({ ...task, run: (signal) => watch(() => task.run(signal)) }),
    },
    idle: () => Promise.allSettled(underWay),
  };
}
