import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Call } from "./requests.ts";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** It continues: only its beginning is here. */
  isStream: boolean;
}

export interface Caller {
  send(call: Pick<Call, "method" | "target" | "headers" | "body">): Promise<Reply>;
  /** How many requests were sent. */
  count(): number;
  close(): void;
}

/** How long a request may take before it counts as unanswered. */
const PATIENCE_MS = 30_000;
/** For a stream to show its first bytes. */
const STREAM_MS = 200;

/** Sends requests as they stand, each from another client address, so that limits for one client do not hold it up. */
export function createCaller(url: string, headersFor: (path: string) => Record<string, string> = () => ({})): Caller {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let count = 0;

  return {
    send: ({ method, target, headers: own, body }) =>
      new Promise((resolve, reject) => {
        count += 1;
        const client = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
        const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
        const sent = request(
          {
            hostname,
            port,
            agent,
            method,
            path: target,
            timeout: PATIENCE_MS,
            headers: { "x-forwarded-for": client, ...headersFor(target.split("?")[0] ?? ""), ...length, ...own },
          },
          (response) => {
            const { statusCode: status = 0, headers: received } = response;
            const chunks: Buffer[] = [];
            const end = (isStream: boolean): void =>
              resolve({ status, headers: received, text: Buffer.concat(chunks).toString(), isStream });
            const isStream = received["content-type"]?.startsWith("text/event-stream") === true;
            const close = (): void => {
              end(true);
              sent.destroy();
            };
            if (isStream && method !== "HEAD") setTimeout(close, STREAM_MS).unref();
            response.on("data", (chunk: Buffer) => {
              chunks.push(chunk);
              if (isStream) close();
            });
            response.on("end", () => end(isStream));
            response.on("error", reject);
          },
        );
        sent.on("timeout", () => sent.destroy(new Error(`${method} ${target} was not answered in ${PATIENCE_MS} ms`)));
        sent.on("error", reject);
        sent.end(body);
      }),
    count: () => count,
    close: () => agent.destroy(),
  };
}
