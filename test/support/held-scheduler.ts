import type { Scheduler } from "../../src/platform/scheduler.ts";

/** A scheduler that runs nothing by itself. */
export interface HeldScheduler {
  scheduler: Scheduler;
  /** Runs a task once. Throws when there is none of that name. */
  run(name: string): Promise<void>;
  /** Runs all once, in the order in which they were given. */
  runAll(): Promise<void>;
}

export function createHeldScheduler(): HeldScheduler {
  const tasks = new Map<string, (signal: AbortSignal) => unknown>();

  async function run(name: string): Promise<void> {
    const task = tasks.get(name);
    if (task === undefined) throw new Error(`there is no task ${name}: ${[...tasks.keys()].join(", ")}`);
    await task(new AbortController().signal);
  }

  return {
    scheduler: {
      every(task) {
        tasks.set(task.name, task.run);
        return () => undefined;
      },
      whenDue(task) {
        tasks.set(task.name, task.run);
        return { within: () => undefined, end: () => undefined };
      },
      async stop() {},
    },
    run,
    async runAll() {
      for (const name of tasks.keys()) await run(name);
    },
  };
}
