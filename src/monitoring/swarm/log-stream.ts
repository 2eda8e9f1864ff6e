import type { Answer, RouteRequest } from "../../http/route.ts";
import { openEventStream } from "../../http/sse.ts";
import type { ServiceLogStreamEnd, ServiceLogStreamQuery } from "./api.ts";
import type { SwarmService } from "./service.ts";

/** Answers with the log of all tasks of a service: `log` a line, `unseen` whenever other tasks are not in it, and a final `end`. */
export function streamServiceLogs(
  service: SwarmService,
  id: string,
  { query, log }: RouteRequest<unknown, ServiceLogStreamQuery, unknown>,
): Answer {
  service.service(id);
  return openEventStream(
    async (stream) => {
      let end: ServiceLogStreamEnd;
      try {
        // Several tasks write to one reader, each in its turn.
        let turn = Promise.resolve();
        const send: Parameters<SwarmService["followLogs"]>[2] = (event) => (turn = turn.then(() => stream.send(event)));
        end = await service.followLogs(id, query, send, stream.signal);
      } catch (error) {
        log.error({ err: error, service: id }, "log stream of a service failed");
        end = { reason: "unreadable", message: "The log could not be read." };
      }
      if (!stream.signal.aborted) await stream.send({ event: "end", data: end });
    },
    { isLog: true, farewell: { event: "end", data: { reason: "slow_client", message: null } satisfies ServiceLogStreamEnd } },
  );
}
