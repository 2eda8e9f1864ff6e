/** The two ways in which the server sends a log. */
import { ApiError, request, urlOf } from "../api/client.ts";
import type { LogAnswer, LogReading, LogSourceDoors, LogStreamListener } from "./log-source.ts";
import { READ_LINES } from "./overlap.ts";

/** Of a workload of Kubernetes: one container of its pods, or what ran before their last restart. */
export interface LogPart {
  container?: string | undefined;
  previous?: true | undefined;
}

/** Refusals that may be over in a moment. */
const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "not_understood",
  "runtime_unavailable",
  "storage_unavailable",
  "standby",
  "request_timeout",
  "rate_limited",
  "internal",
]);

/** The routes that read a log; those that follow it are below them. */
export type LogRoute = "GET /api/v1/containers/{id}/logs" | "GET /api/v1/swarm/services/{id}/logs";

/** The log of a container or a service. `part`: which of it is read, all where absent. */
export function serverLog(route: LogRoute, id: number | string, part: LogPart = {}): LogSourceDoors {
  const asked = (since: string | null) => ({ params: { id }, query: { ...part, lines: READ_LINES, since: since ?? undefined } });
  return {
    read: (since, signal) => readLog(() => request(route, { ...asked(since), signal })),
    follow: (since, listener) => followLog(urlOf(`${route}/stream`, asked(since)), listener),
    now: () => Date.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

async function readLog(read: () => Promise<LogReading>): Promise<LogAnswer> {
  try {
    return { ok: true, logs: await read() };
  } catch (error) {
    if (!(error instanceof ApiError))
      return { ok: false, message: error instanceof Error ? error.message : String(error), isPassing: false };
    return { ok: false, message: error.message, isPassing: PASSING.has(error.code) };
  }
}

/** The browser's own reconnecting would bring lines twice, so a lost stream is closed and left to the caller. */
function followLog(url: string, listener: LogStreamListener): () => void {
  const source = new EventSource(url);
  source.addEventListener("log", (event) => listener.line(JSON.parse(event.data)));
  source.addEventListener("omitted", (event) => listener.omitted(JSON.parse(event.data).lines));
  source.addEventListener("unseen", (event) => listener.unseen(JSON.parse(event.data).tasks));
  source.addEventListener("end", (event) => {
    source.close();
    listener.end(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    source.close();
    listener.lost();
  });
  return () => source.close();
}
