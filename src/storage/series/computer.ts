import { Worker } from "node:worker_threads";
import { HOUR_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { gridBuffersOf, type Job, type ResultOf } from "./compute.ts";

const MAX_WAITING = 1000;
/** When an idle thread is stopped, since it takes some 20 MB. */
const IDLE_MS = 30_000;
/**
 * After this many jobs the thread is kept for the next hour: its code is compiled by then, and compiling it again each hour would cost as much as the
 * work.
 */
const MANY_JOBS = 50;
const LONG_IDLE_MS = 2 * HOUR_MS;
/**
 * A job takes at most 10 MB of heap. The old generation is first collected when half of its room is used, including buffers, and only that frees what
 * compression leaves behind: with more room that would be 60 MB.
 */
const ROOM = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };

/** Runs jobs outside of the main thread, one after another. */
export interface Computer {
  /** Throws `storage_unavailable` when too many jobs wait. */
  run<Kind extends Job>(job: Kind): Promise<ResultOf<Kind>>;
  stop(): Promise<void>;
}

interface Waiting {
  resolve(result: never): void;
  reject(error: unknown): void;
}

export function createComputer(clock: Clock): Computer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: Timer | undefined;
  let number = 0;
  /** The number of jobs since the thread was started. */
  let jobs = 0;

  function start(): Worker {
    // Next to this file when run from source; the build puts it next to the bundle.
    const url = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./series-worker.js", import.meta.url);
    const started = new Worker(url, { resourceLimits: ROOM });
    started.unref();
    jobs = 0;
    started.on("message", (answer: { number: number; result?: never; error?: unknown }) => {
      const asked = waiting.get(answer.number);
      waiting.delete(answer.number);
      if (answer.result === undefined) asked?.reject(answer.error);
      else asked?.resolve(answer.result);
      if (waiting.size === 0) restLater();
    });
    started.on("error", (error) => end(started, error));
    started.on("exit", () => end(started, new Error("the thread for series ended")));
    return started;
  }

  function end(ended: Worker, reason: unknown): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  }

  function restLater(): void {
    worker?.unref();
    idle?.cancel();
    idle = clock.after(jobs > MANY_JOBS ? LONG_IDLE_MS : IDLE_MS, () => void stop());
  }

  async function stop(): Promise<void> {
    idle?.cancel();
    const ending = worker;
    if (ending === undefined) return;
    end(ending, new ServiceError("storage_unavailable", "The service is stopping."));
    await ending.terminate();
  }

  return {
    run<Kind extends Job>(job: Kind) {
      if (waiting.size >= MAX_WAITING)
        return Promise.reject(new ServiceError("storage_unavailable", "Too many readings of series wait. Try again shortly."));
      idle?.cancel();
      worker ??= start();
      worker.ref();
      number += 1;
      jobs += 1;
      return new Promise<ResultOf<Kind>>((resolve, reject) => {
        // The result with this number belongs to this job.
        waiting.set(number, { resolve: resolve as (result: never) => void, reject });
        worker?.postMessage({ number, job }, gridBuffersOf(job) as ArrayBuffer[]);
      });
    },
    stop,
  };
}
