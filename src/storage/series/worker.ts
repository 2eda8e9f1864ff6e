/** The thread that does the jobs of compute.ts; started by computer.ts. */
import { parentPort } from "node:worker_threads";
import { buffersOf, compute, type Job } from "./compute.ts";

parentPort?.on("message", ({ number, job }: { number: number; job: Job }) => {
  try {
    const result = compute(job);
    parentPort?.postMessage({ number, result }, buffersOf(result));
  } catch (error) {
    parentPort?.postMessage({ number, error });
  }
});
