import { isServiceError } from "../../platform/errors.ts";
import type { Answer, RouteRequest } from "../../http/route.ts";
import { openEventStream } from "../../http/sse.ts";
import type { LogStreamEnd } from "./api.ts";
import { type Container, isAlive } from "./container.ts";
import { logLineRecord } from "./records.ts";
import type { ContainerService } from "./service.ts";

type Query = { lines: number; since?: string | undefined; timestamps: boolean; previous: boolean };

/** Answers with a container's log as a stream of `log` events, and a final `end` that says why it ended. */
export async function streamLogs(
  service: ContainerService,
  id: number,
  { query, log }: RouteRequest<unknown, Query, unknown>,
): Promise<Answer> {
  const container = await service.find(id);
  return openEventStream(
    async (stream) => {
      let end: LogStreamEnd;
      try {
        const lines = service.followLogs(container, query, stream.signal);
        for await (const line of lines) await stream.send({ event: "log", data: logLineRecord(line, query.timestamps) });
        end = query.previous ? { reason: "container_stopped", message: null } : endOf(await service.afterLog(id));
      } catch (error) {
        if (!isServiceError(error)) log.error({ err: error, container: id }, "log stream failed");
        end = endByFailure(error);
      }
      if (!stream.signal.aborted) await stream.send({ event: "end", data: end });
    },
    { isLog: true, farewell: { event: "end", data: { reason: "slow_client", message: null } satisfies LogStreamEnd } },
  );
}

/** The runtime closed the log: the container ended, is gone, or the runtime went away. */
function endOf({ state, archivedAt }: Container): LogStreamEnd {
  if (archivedAt !== null) return { reason: "container_removed", message: null };
  return { reason: isAlive(state) ? "runtime_lost" : "container_stopped", message: null };
}

function endByFailure(error: unknown): LogStreamEnd {
  if (!isServiceError(error)) return { reason: "unreadable", message: "The log could not be read." };
  if (error.code === "runtime_unavailable") return { reason: "runtime_lost", message: error.message };
  return { reason: error.code === "not_found" ? "container_removed" : "unreadable", message: error.message };
}
