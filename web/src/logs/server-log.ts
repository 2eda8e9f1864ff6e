/** The two ways in which the server tells a container's log. */
import type { ContainerLogs } from "../../../src/monitoring/containers/api.ts";
import { ApiError, apiUrl, getJson } from "../api/client.ts";
import type { LogAnswer, LogSourceDoors, LogStreamListener } from "./log-source.ts";

/** The most that the server gives of what was written before. */
const LINES = 1000;

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

export function serverLog(id: number): LogSourceDoors {
  const path = `/api/v1/containers/${id}/logs`;
  return {
    read: (since, signal) => readLog(path, since, signal),
    follow: (since, listener) => followLog(apiUrl(`${path}/stream`, { lines: LINES, since: since ?? undefined }), listener),
    now: () => Date.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

async function readLog(path: string, since: string | null, signal: AbortSignal): Promise<LogAnswer> {
  try {
    return { ok: true, logs: await getJson<ContainerLogs>(path, { parameters: { lines: LINES, since: since ?? undefined }, signal }) };
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
