/** The thread that runs the jobs of compute.ts; started by computer.ts. */
import { parentPort } from "node:worker_threads";
import { buffersOf, compute, gridBuffersOf, type Job } from "./compute.ts";

parentPort?.on("message", ({ number, job }: { number: number; job: Job }) => {
  try {
    const result = compute(job);
    parentPort?.postMessage({ number, result }, buffersOf(result));
    // Freed at once: a bundle of grids takes 160 kB, and the collector of this thread would free them only after hundreds.
    for (const buffer of gridBuffersOf(job)) (buffer as ArrayBuffer).transfer(0);
  } catch (error) {
    parentPort?.postMessage({ number, error });
  }
});
