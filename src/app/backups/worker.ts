/** The thread that takes one backup and ends; started by scheduled.ts, which passes the options. */
import { parentPort, workerData } from "node:worker_threads";
import { takeBackup, type TakeOptions } from "./take.ts";

// No await at the top: the bundle is CommonJS. A failure ends the thread with its error.
void takeBackup(workerData as TakeOptions).then((taken) => parentPort?.postMessage(taken));
