import { keepAlive, systemClock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

export interface Running {
  start(): Promise<void>;
  /** Answers what did not stop cleanly. */
  stop(): Promise<string[]>;
  /** Ends it too, with this exit code. */
  ended?: Promise<number>;
}

/** How long what did not stop may take to end the process by itself. */
const LINGER_MS = 500;

/** Starts, and waits for the signal to stop, which counts from the beginning on; resolves to the exit code once everything has ended. Throws what the start throws. */
export async function runUntilStopped({ start, stop, ended }: Running, log: Log): Promise<number> {
  const stopped = Promise.withResolvers<number>();
  const end = (code: number): void => {
    stop().then((unclean) => {
      if (unclean.length === 0) return stopped.resolve(code);
      // A connection to a peer that is silent would keep the process until the peer answers.
      systemClock.after(LINGER_MS, () => process.exit(1));
      stopped.resolve(1);
    }, stopped.reject);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      log.info({ signal }, "stopping");
      end(0);
    });
  }
  void ended?.then(end);
  const letGo = keepAlive();
  try {
    await start();
    return await stopped.promise;
  } finally {
    letGo();
  }
}
