import { MINUTE_MS } from "../contract/time.ts";
import type { Route } from "../http/route.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { JOBS, type Job, uuidOf } from "./history/index.ts";

/** Keeps the jobs of the demo running: each reports by the route that real ones call, without a connection. */
export function startJobs({ routes, clock, log }: { routes: readonly Route[]; clock: Clock; log: Log }): { stop(): void } {
  const timers = new Map<string, Timer>();

  async function report(path: string, uuid: string): Promise<void> {
    const ping = routes.find((route) => route.method === "POST" && route.path === path);
    // What the route takes, as its schemas would have read it; a list of routes does not say that.
    const request = {
      ...{ params: { uuid }, query: {}, body: Buffer.alloc(0), method: "POST", headers: { "user-agent": "curl/8.9.1" } },
      ...{ clientAddress: "10.20.0.14", peerAddress: "10.20.0.14", requestId: "demo", signal: new AbortController().signal, log },
    };
    await ping?.handle(request as never);
  }
  function at(job: Job, atMs: number, path: string, next: () => void): void {
    const timer = clock.after(Math.max(0, atMs - clock.now().getTime()), () => {
      report(path, uuidOf(job.name)).catch((error: unknown) => log.debug({ reason: messageOf(error) }, "a made-up job could not report"));
      next();
    });
    timers.set(job.name, timer);
  }
  function plan(job: Job): void {
    const stepMs = job.everyMinutes * MINUTE_MS;
    const offsetMs = (job.at ?? 0) * MINUTE_MS;
    const dueMs = (Math.floor((clock.now().getTime() - offsetMs) / stepMs) + 1) * stepMs + offsetMs;
    at(job, dueMs, "/ping/{uuid}/start", () => at(job, dueMs + job.runsMs, "/ping/{uuid}", () => plan(job)));
  }

  for (const job of JOBS) plan(job);
  return {
    stop() {
      for (const timer of timers.values()) timer.cancel();
    },
  };
}
