import type { Scheduler } from "../../src/platform/scheduler.ts";

/** A scheduler whose tasks can be waited for, for clocks that run faster than time does. */
export interface WatchedTasks {
  scheduler: Scheduler;
  /** Waits for the tasks that are under way. */
  idle(): Promise<unknown>;
}

export function watchTasks(scheduler: Scheduler, tell: (what: "begin" | "end") => void = () => undefined): WatchedTasks {
  const underWay = new Set<Promise<void>>();

  async function watch(run: () => Promise<void> | void): Promise<void> {
    tell("begin");
    await run();
    tell("end");
  }

  return {
    scheduler: {
      ...scheduler,
      every: (task) =>
        scheduler.every({
          ...task,
          async run(signal) {
            const watched = watch(() => task.run(signal));
            underWay.add(watched);
            await watched.finally(() => underWay.delete(watched));
          },
        }),
    },
    idle: () => Promise.allSettled(underWay),
  };
}
